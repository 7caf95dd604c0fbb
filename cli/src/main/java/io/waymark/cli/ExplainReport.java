package io.waymark.cli;

import io.waymark.core.RouteDecision;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A decision in JSON. The names are a contract with scripts.
 *
 * @param operation what was asked about
 * @param endpoint who would serve; null if nobody
 * @param address where that is; null if nobody
 * @param reason the text form of the reason
 * @param passedOver every other member
 */
record ExplainReport(
    String operation,
    @Nullable String endpoint,
    @Nullable String address,
    String reason,
    List<PassedOver> passedOver) {
  /**
   * A member that was not chosen.
   *
   * @param endpoint its name
   * @param address {@code host:port/database}
   * @param reason why not
   */
  record PassedOver(String endpoint, @Nullable String address, String reason) {}

  static ExplainReport of(RouteDecision decision, Map<String, String> addresses) {
    return new ExplainReport(
        decision.operation().text(),
        decision.endpoint().orElse(null),
        decision.endpoint().map(addresses::get).orElse(null),
        decision.reason(),
        decision.passedOver().stream()
            .map(
                each ->
                    new PassedOver(each.endpoint(), addresses.get(each.endpoint()), each.reason()))
            .toList());
  }
}
