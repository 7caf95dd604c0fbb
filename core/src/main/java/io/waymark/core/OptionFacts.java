package io.waymark.core;

/**
 * An option as a value, for products that need no enum of their own. It holds no secret.
 *
 * @param path in text form
 * @param defaultText in text form; empty where there is none
 * @param accepted what is accepted, as a message would say it
 * @param description what it does
 * @param reason why the default is what it is; empty where nothing is to say
 * @param tier how likely a user is to need it
 */
public record OptionFacts(
    String path, String defaultText, String accepted, String description, String reason, Tier tier)
    implements Option {
  @Override
  public boolean secret() {
    return false;
  }
}
