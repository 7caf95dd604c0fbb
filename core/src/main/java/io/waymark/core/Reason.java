package io.waymark.core;

/**
 * Why a call went where it went, or went nowhere.
 *
 * <p>Each product has an enum of its reasons. The text form is the same everywhere: in route
 * events, in {@link RouteDecision}, in metrics and in messages.
 */
public interface Reason {
  /**
   * The text form.
   *
   * @param endpoint the name of the chosen member; reasons that do not name one ignore it
   */
  String text(String endpoint);
}
