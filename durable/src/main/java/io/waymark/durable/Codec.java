package io.waymark.durable;

/**
 * How the values of a channel become text and back. Both directions may be called from several
 * threads at once.
 *
 * @param <T> the type of the values
 */
public interface Codec<T> {
  /**
   * The text that is stored.
   *
   * @throws RuntimeException if there is none: the value is refused and nothing is staged
   */
  String encode(T value);

  /**
   * The value again. Text may have been written by an older version of the program.
   *
   * @throws RuntimeException if it is no value: this counts as a failed attempt of its key and
   *     holds up no other
   */
  T decode(String text);

  /** The text itself. */
  static Codec<String> text() {
    return TextCodec.INSTANCE;
  }

  /**
   * JSON by Jackson's rules for the type: records and beans work as they are. Properties that are
   * not known are ignored when reading, so that a newer version may add some.
   */
  static <T> Codec<T> json(Class<T> type) {
    return new JsonCodec<>(type);
  }
}
