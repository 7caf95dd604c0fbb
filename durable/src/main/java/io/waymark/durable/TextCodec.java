package io.waymark.durable;

/** Text as it is. */
enum TextCodec implements Codec<String> {
  INSTANCE;

  @Override
  public String encode(String value) {
    return value;
  }

  @Override
  public String decode(String text) {
    return text;
  }
}
