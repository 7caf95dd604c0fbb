package io.waymark.durable;

/**
 * Text that must not begin with a question mark when it is read, nor be empty when it is written.
 */
enum PickyCodec implements Codec<String> {
  INSTANCE;

  @Override
  public String encode(String value) {
    if (value.isEmpty()) {
      throw new IllegalArgumentException("nothing to say");
    }
    return value;
  }

  @Override
  public String decode(String text) {
    if (text.startsWith("?")) {
      throw new IllegalArgumentException("no letter");
    }
    return text;
  }
}
