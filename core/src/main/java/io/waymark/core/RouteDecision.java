package io.waymark.core;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The whole answer to "where would this call go now, and why": what {@code inspect} returns.
 *
 * <p>A preview: it moves no rotation, sends nothing and fires no event. Immutable.
 */
public final class RouteDecision {
  /**
   * A member that was not chosen.
   *
   * @param endpoint its name
   * @param reason why not, in a few words for people
   */
  public record PassedOver(String endpoint, String reason) {
    @Override
    public String toString() {
      return endpoint + ": " + reason;
    }
  }

  private final Operation operation;
  private final @Nullable String endpoint;
  private final String reason;
  private final List<PassedOver> passedOver;

  /**
   * @param operation what was asked about
   * @param endpoint the chosen member's name, or null if the call would be refused
   * @param reason the reason's text form
   * @param passedOver every other member with its reason, in the order of configuration
   */
  public RouteDecision(
      Operation operation, @Nullable String endpoint, String reason, List<PassedOver> passedOver) {
    this.operation = operation;
    this.endpoint = endpoint;
    this.reason = reason;
    this.passedOver = List.copyOf(passedOver);
  }

  /** What was asked about. */
  public Operation operation() {
    return operation;
  }

  /** The chosen member's name; empty if the call would be refused. */
  public Optional<String> endpoint() {
    return Optional.ofNullable(endpoint);
  }

  /** The same text that a route event would carry, or the reason of the refusal. */
  public String reason() {
    return reason;
  }

  /** Every other member and why it was not chosen, in the order of configuration. */
  public List<PassedOver> passedOver() {
    return passedOver;
  }

  @Override
  public String toString() {
    String others = passedOver.stream().map(PassedOver::toString).collect(Collectors.joining("; "));
    return operation
        + " -> "
        + (endpoint == null ? "refused" : endpoint)
        + " ("
        + reason
        + ")"
        + (others.isEmpty() ? "" : " [" + others + "]");
  }
}
