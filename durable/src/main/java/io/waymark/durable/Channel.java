package io.waymark.durable;

import io.waymark.core.OptionException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A named kind of deliveries, and the type of its values. Immutable; two channels of one name are
 * the same channel, so give each name one type.
 *
 * @param <T> the type of the values
 */
public final class Channel<T> {
  private static final int LONGEST_NAME = 128;
  private static final int LONGEST_KEY = 1_000;

  private final String name;
  private final Codec<T> codec;

  private Channel(String name, Codec<T> codec) {
    this.name = checkedName(name, "name of a channel");
    this.codec = Objects.requireNonNull(codec, "codec");
  }

  /**
   * A channel whose values are stored as JSON.
   *
   * @param name at most 128 bytes of UTF-8, not blank; {@code waymark.} begins the names of
   *     Waymark's own channels
   * @throws OptionException if the name cannot be used
   */
  public static <T> Channel<T> of(String name, Class<T> type) {
    return new Channel<>(name, Codec.json(type));
  }

  /**
   * A channel whose values are stored as the codec says.
   *
   * @param name as in {@link #of(String, Class)}
   * @throws OptionException if the name cannot be used
   */
  public static <T> Channel<T> of(String name, Codec<T> codec) {
    return new Channel<>(name, codec);
  }

  /** The name. */
  public String name() {
    return name;
  }

  /**
   * A value to be staged; it takes the place of the one that may be pending for the key.
   *
   * @param key at most 1,000 bytes of UTF-8, not blank, without NUL
   * @throws OptionException if the key cannot be used
   * @throws RuntimeException if the codec cannot encode the value
   */
  public Item item(String key, T value) {
    return new Item(name, checkedKey(key), codec.encode(Objects.requireNonNull(value, "value")));
  }

  /**
   * Whatever is pending for the key shall not be delivered any more.
   *
   * @param key as in {@link #item}
   * @throws OptionException if the key cannot be used
   */
  public Item cancellation(String key) {
    return new Item(name, checkedKey(key), null);
  }

  T decode(String text) {
    return Objects.requireNonNull(codec.decode(text), "the codec returned null");
  }

  static String checkedName(String name, String what) {
    return checked(name, what, LONGEST_NAME);
  }

  static String checkedKey(String key) {
    return checked(key, "key", LONGEST_KEY);
  }

  /** Whether every database stores the text as it is. */
  static boolean isStorable(String text) {
    return text.indexOf('\0') < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }

  private static String checked(String text, String what, int longest) {
    if (text.isBlank()) {
      throw new OptionException("the " + what + " must not be blank");
    }
    if (!isStorable(text)) {
      throw new OptionException("the " + what + " must be text without NUL");
    }
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > longest) {
      throw new OptionException(
          "the "
              + what
              + " has "
              + bytes
              + " bytes in UTF-8; at most "
              + longest
              + " are accepted");
    }
    return text;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Channel<?> channel && channel.name.equals(name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
