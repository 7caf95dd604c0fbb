package io.waymark.bench.peers;

import io.waymark.bench.Operation;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What every contender goes through, in this order. */
public enum Scenario {
  /** A read in autocommit, timed. */
  READ(Operation.READ),
  /** A read in a read-only transaction, timed. */
  READ_TRANSACTION(Operation.READ_TRANSACTION),
  /** A write in a transaction, timed. */
  WRITE(Operation.WRITE),
  /** Reads after writes while no replica replays. */
  OWN_WRITES(null),
  /** Reads from the moment on at which one of two replicas is killed. */
  KILLED(null),
  /** Reads from the moment on at which one of two replicas takes everything and answers nothing. */
  SILENT(null);

  private final Optional<Operation> operation;

  Scenario(@org.jspecify.annotations.Nullable Operation operation) {
    this.operation = Optional.ofNullable(operation);
  }

  /** What is timed. */
  Optional<Operation> operation() {
    return operation;
  }

  /** Those that are timed. */
  public static List<Scenario> timed() {
    return Arrays.stream(values()).filter(each -> each.operation.isPresent()).toList();
  }

  /** Those in which a replica goes away. */
  public static List<Scenario> outages() {
    return List.of(KILLED, SILENT);
  }
}
