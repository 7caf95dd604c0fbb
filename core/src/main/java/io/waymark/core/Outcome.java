package io.waymark.core;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a shard answers: it took the work, or it definitely did not. Both carry the shard's load
 * where it said so; a load that is missing changes nothing about the answer.
 *
 * <p>What is neither (a failed commit, a lost connection, a timeout) is an exception, never a
 * rejection: the work may be there.
 *
 * @param <R> the type of the value that comes with acceptance; immutable, as outcomes are
 */
public sealed interface Outcome<R> {

  /**
   * The work was durably accepted. That is not to say that it was delivered.
   *
   * @param value what the shard returned
   * @param load the shard's load after this call, if it said so
   */
  record Accepted<R>(R value, Optional<LoadSnapshot> load) implements Outcome<R> {
    /** Refuses missing components. */
    public Accepted {
      Objects.requireNonNull(value, "value");
      Objects.requireNonNull(load, "load");
    }

    @Override
    public boolean isAccepted() {
      return true;
    }

    @Override
    public <S> Outcome<S> map(Function<? super R, ? extends S> change) {
      return new Accepted<>(change.apply(value), load);
    }

    @Override
    public Outcome<R> with(LoadSnapshot reported) {
      return new Accepted<>(value, Optional.of(reported));
    }
  }

  /**
   * The work was refused, and nothing of it was written.
   *
   * @param error why
   * @param load the shard's load after this call, if it said so
   */
  record Rejected<R>(Rejection error, Optional<LoadSnapshot> load) implements Outcome<R> {
    /** Refuses missing components. */
    public Rejected {
      Objects.requireNonNull(error, "error");
      Objects.requireNonNull(load, "load");
    }

    @Override
    public boolean isAccepted() {
      return false;
    }

    @Override
    public <S> Outcome<S> map(Function<? super R, ? extends S> change) {
      return new Rejected<>(error, load);
    }

    @Override
    public Outcome<R> with(LoadSnapshot reported) {
      return new Rejected<>(error, Optional.of(reported));
    }
  }

  /**
   * Why work was refused, in a form that can be stored and sent.
   *
   * @param name the kind of error, for programs; not blank
   * @param message the whole sentence, for people
   */
  record Rejection(String name, String message) {
    /** Refuses a blank name. */
    public Rejection {
      Objects.requireNonNull(message, "message");
      if (name.isBlank()) {
        throw new IllegalArgumentException("a rejection needs a name");
      }
    }
  }

  /** The work was accepted, and the shard said nothing about its load. */
  static <R> Outcome<R> accepted(R value) {
    return new Accepted<>(value, Optional.empty());
  }

  /** The work was accepted. */
  static <R> Outcome<R> accepted(R value, LoadSnapshot load) {
    return new Accepted<>(value, Optional.of(load));
  }

  /** The work was refused, and the shard said nothing about its load. */
  static <R> Outcome<R> rejected(String name, String message) {
    return new Rejected<>(new Rejection(name, message), Optional.empty());
  }

  /** The work was refused. */
  static <R> Outcome<R> rejected(String name, String message, LoadSnapshot load) {
    return new Rejected<>(new Rejection(name, message), Optional.of(load));
  }

  /** The shard's load after this call, if it said so. */
  Optional<LoadSnapshot> load();

  /** Whether the work was durably accepted. */
  boolean isAccepted();

  /**
   * The same outcome with another value; a rejection stays one, with its error and its load.
   *
   * @param change makes the value from the value; it must not return null
   */
  <S> Outcome<S> map(Function<? super R, ? extends S> change);

  /** The same outcome with this load, as a shard returns it that just looked. */
  Outcome<R> with(LoadSnapshot reported);
}
