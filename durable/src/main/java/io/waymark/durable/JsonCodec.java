package io.waymark.durable;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/** Values as JSON. Messages never repeat what the text holds: it may be secret. */
final class JsonCodec<T> implements Codec<T> {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private final Class<T> type;
  private final ObjectReader reader;
  private final ObjectWriter writer;

  JsonCodec(Class<T> type) {
    this.type = type;
    this.reader = MAPPER.readerFor(type);
    this.writer = MAPPER.writerFor(type);
  }

  @Override
  public String encode(T value) {
    try {
      return writer.writeValueAsString(value);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "a " + type.getName() + " cannot be written as JSON: " + e.getOriginalMessage(), e);
    }
  }

  @Override
  public T decode(String text) {
    @Nullable T value;
    try {
      value = reader.readValue(text);
    } catch (JacksonException e) {
      throw unreadable(e.getClass().getSimpleName());
    }
    if (value == null) {
      throw unreadable("null");
    }
    return value;
  }

  /** Without Jackson's message and cause, which quote the text. */
  private IllegalArgumentException unreadable(String why) {
    return new IllegalArgumentException(
        "the stored text is no JSON of a " + type.getName() + ": " + why);
  }
}
