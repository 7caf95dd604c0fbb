package io.waymark.topology.routing;

import io.waymark.core.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/** A router with transforms around each push. Immutable. */
final class TransformedRouter<I, R> implements Router<I, R> {
  private static final String PUSH = "push";

  private final Router<I, R> target;
  private final List<Transform<I, R>> transforms;

  private TransformedRouter(Router<I, R> target, List<Transform<I, R>> transforms) {
    this.target = target;
    this.transforms = transforms;
  }

  /** A view of this router with a transform. */
  static <I, R> Router<I, R> of(Router<I, R> target, Transform<I, R> transform) {
    return new TransformedRouter<>(target, List.of(Objects.requireNonNull(transform, "transform")));
  }

  @Override
  public Router<I, R> with(Transform<I, R> transform) {
    List<Transform<I, R>> more = new ArrayList<>(transforms);
    more.add(Objects.requireNonNull(transform, "transform"));
    return new TransformedRouter<>(target, List.copyOf(more));
  }

  @Override
  public Outcome<R> push(I input, RoutingContext context) {
    return from(0, input, context);
  }

  private Outcome<R> from(int place, I input, RoutingContext context) {
    if (place == transforms.size()) {
      return target.push(input, context);
    }
    Transform<I, R> transform = transforms.get(place);
    return Objects.requireNonNull(
        transform.apply(new Session(place, input, context)),
        () -> "a transform returned no outcome: " + transform);
  }

  private final class Session implements RoutingSession<I, R> {
    private final int place;
    private final I input;
    private final RoutingContext context;
    private final AtomicBoolean gone = new AtomicBoolean();

    Session(int place, I input, RoutingContext context) {
      this.place = place;
      this.input = input;
      this.context = context;
    }

    @Override
    public String method() {
      return PUSH;
    }

    @Override
    public I input() {
      return input;
    }

    @Override
    public RoutingContext context() {
      return context;
    }

    @Override
    public Outcome<R> next(RoutingContext addition) {
      RoutingContext merged = context.merged(addition);
      if (!gone.compareAndSet(false, true)) {
        throw new IllegalStateException(
            "the push went on already; it is not sent twice: push again if that is safe");
      }
      return from(place + 1, input, merged);
    }
  }
}
