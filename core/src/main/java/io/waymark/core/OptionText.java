package io.waymark.core;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text form of options: one strict grammar that every product shares.
 *
 * <p>Surrounding white space is ignored, nothing else is: a number is ASCII digits with an optional
 * fraction, without sign or exponent, and a unit follows it without a space and in exactly its own
 * case. Work and memory are bounded for text of any length. The parsers return a value or throw
 * {@link OptionException} with the option's path, the text (unless it may be a secret) and what is
 * accepted; they throw nothing else.
 */
public final class OptionText {
  private static final int LONGEST_NUMBER = 100;
  private static final int LONGEST_SHOWN = 60;
  private static final int LONGEST_COMPARED = 80;

  private static final Pattern AMOUNT = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)([A-Za-z]*)");
  private static final BigDecimal NANOS_PER_MILLI = BigDecimal.valueOf(1_000_000);
  private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);

  /** Nanoseconds of each unit of time. */
  private static final Map<String, BigDecimal> TIME =
      Map.of(
          "ms", NANOS_PER_MILLI,
          "s", BigDecimal.valueOf(1_000_000_000),
          "m", BigDecimal.valueOf(60_000_000_000L));

  /** Bytes of each unit of size. */
  private static final Map<String, BigDecimal> SIZE =
      Map.of(
          "B", BigDecimal.ONE,
          "KB", BigDecimal.valueOf(1L << 10),
          "MB", BigDecimal.valueOf(1L << 20),
          "GB", BigDecimal.valueOf(1L << 30));

  private OptionText() {}

  private record Amount(BigDecimal number, String unit) {
    boolean isTime() {
      return TIME.containsKey(unit);
    }

    boolean isSize() {
      return SIZE.containsKey(unit);
    }

    boolean isBare() {
      return unit.isEmpty();
    }
  }

  /**
   * A number and {@code ms}, {@code s} or {@code m}: {@code 500ms}, {@code 1.5s}. What is finer
   * than a nanosecond is cut off. Zero is a duration; whether it is accepted is for the caller.
   *
   * @throws OptionException if the text is anything else, or longer than 2⁶³ nanoseconds
   */
  public static Duration duration(Option option, String text) {
    Amount amount = amount(text);
    if (amount == null || !amount.isTime()) {
      throw OptionException.refused(option, text, "it is not a duration");
    }
    return duration(option, text, amount);
  }

  /**
   * A {@link #duration} to wait; see {@link OptionValue#waitTime}.
   *
   * @throws OptionException if the text is no duration, not positive, or longer than 24 days
   */
  public static Duration waitTime(Option option, String text) {
    return OptionValue.waitTime(option, duration(option, text), text);
  }

  /**
   * As {@link #waitTime}; a number without a unit means milliseconds.
   *
   * @throws OptionException if the text is neither, not positive, or longer than 24 days
   */
  public static Duration waitTimeOrMillis(Option option, String text) {
    Amount amount = amount(text);
    if (amount == null || !(amount.isTime() || amount.isBare())) {
      throw OptionException.refused(
          option, text, "it is neither a duration nor a number of milliseconds");
    }
    if (amount.isBare() && amount.number.signum() == 0) {
      throw OptionException.refused(option, text, "the number of milliseconds must be positive");
    }
    Amount timed = amount.isBare() ? new Amount(amount.number, "ms") : amount;
    return OptionValue.waitTime(option, duration(option, text, timed), text);
  }

  /**
   * A number and {@code B}, {@code KB}, {@code MB} or {@code GB}, each 1024 times the one before:
   * {@code 16MB}, {@code 0.5GB}. A fraction of a byte is cut off.
   *
   * @return bytes, not negative
   * @throws OptionException if the text is anything else, or 2⁶³ bytes and more
   */
  public static long size(Option option, String text) {
    Amount amount = amount(text);
    if (amount == null || !amount.isSize()) {
      throw OptionException.refused(option, text, "it is not a size");
    }
    return size(option, text, amount);
  }

  /**
   * A {@link #duration} or a {@link #size}; the unit says which.
   *
   * @throws OptionException if the text is neither; a number without a unit has words of its own
   */
  public static <T> T durationOrSize(
      Option option,
      String text,
      Function<? super Duration, ? extends T> ofDuration,
      LongFunction<? extends T> ofSize) {
    Amount amount = amount(text);
    if (amount != null && amount.isTime()) {
      return ofDuration.apply(duration(option, text, amount));
    }
    if (amount != null && amount.isSize()) {
      return ofSize.apply(size(option, text, amount));
    }
    throw OptionException.refused(
        option,
        text,
        amount != null && amount.isBare()
            ? "a number without a unit is neither a time nor a size"
            : "it is neither a duration nor a size");
  }

  /**
   * A whole number of at least 1.
   *
   * @throws OptionException if the text is anything else, or more than {@link Integer#MAX_VALUE}
   */
  public static int positiveInt(Option option, String text) {
    Amount amount = amount(text);
    if (amount == null || !amount.isBare() || amount.number.scale() > 0) {
      throw OptionException.refused(option, text, "it is not a whole number");
    }
    if (amount.number.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) > 0) {
      throw OptionException.refused(option, text, "it is more than " + Integer.MAX_VALUE);
    }
    return OptionValue.positive(option, amount.number.intValue());
  }

  /**
   * A number above 0, with or without a fraction.
   *
   * @throws OptionException if the text is anything else
   */
  public static double positiveDecimal(Option option, String text) {
    Amount amount = amount(text);
    if (amount == null || !amount.isBare()) {
      throw OptionException.refused(option, text, "it is not a number");
    }
    return OptionValue.positive(option, amount.number.doubleValue(), text);
  }

  /**
   * One of the constants of an enum by its {@link #word}.
   *
   * @throws OptionException if the text is none of them; a close one is suggested
   */
  public static <E extends Enum<E>> E choice(Option option, String text, Class<E> type) {
    String word = text.strip();
    List<String> words = new ArrayList<>();
    for (E constant : type.getEnumConstants()) {
      if (word(constant).equals(word)) {
        return constant;
      }
      words.add(word(constant));
    }
    String hint = nearest(word, words).map(near -> "; did you mean " + near + "?").orElse("");
    throw OptionException.refused(option, text, "it is not one of the words" + hint);
  }

  /** The text form of a constant: {@code ROUND_ROBIN} is {@code roundRobin}. */
  public static String word(Enum<?> constant) {
    StringBuilder word = new StringBuilder();
    boolean capital = false;
    for (char c : constant.name().toCharArray()) {
      if (c == '_') {
        capital = true;
      } else {
        word.append(capital ? c : Character.toLowerCase(c));
        capital = false;
      }
    }
    return word.toString();
  }

  /** The text of a duration that {@link #duration} reads back as the same. */
  public static String format(Duration duration) {
    BigDecimal seconds =
        BigDecimal.valueOf(duration.getSeconds()).add(BigDecimal.valueOf(duration.getNano(), 9));
    if (duration.getSeconds() == 0 && duration.getNano() != 0) {
      return plain(seconds.movePointRight(3)) + "ms";
    }
    boolean minutes =
        duration.getNano() == 0 && duration.getSeconds() % 60 == 0 && !duration.isZero();
    return minutes ? duration.getSeconds() / 60 + "m" : plain(seconds) + "s";
  }

  /** The text of a size that {@link #size} reads back as the same. */
  public static String format(long bytes) {
    List<String> units = List.of("B", "KB", "MB", "GB");
    int unit = 0;
    while (unit < units.size() - 1 && bytes != 0 && bytes % 1024 == 0) {
      bytes /= 1024;
      unit++;
    }
    return bytes + units.get(unit);
  }

  /** Text as messages show it: {@link #escape escaped}, cut after 60 characters, in quotes. */
  public static String quote(String text) {
    return '"' + escape(text, LONGEST_SHOWN) + '"';
  }

  /**
   * Text that cannot disturb a log, a terminal or the quotes around it: what is invisible becomes a
   * backslash, u and its number, a quote or backslash gets a backslash.
   *
   * @param longest after how many characters it is cut, with an ellipsis
   */
  public static String escape(String text, int longest) {
    StringBuilder shown = new StringBuilder();
    int length = 0;
    for (int i = 0; i < text.length(); length++) {
      if (length == longest) {
        return shown.append('…').toString();
      }
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      if (c == '"' || c == '\\') {
        shown.append('\\').appendCodePoint(c);
      } else if (isPlain(c)) {
        shown.appendCodePoint(c);
      } else {
        shown.append(String.format(Locale.ROOT, "\\u%04x", c));
      }
    }
    return shown.toString();
  }

  /** The known word that was most likely meant; empty when none is close. */
  public static Optional<String> nearest(String given, Collection<String> known) {
    String start = given.substring(0, Math.min(given.length(), LONGEST_COMPARED));
    String lower = start.toLowerCase(Locale.ROOT);
    return known.stream()
        .filter(word -> distance(lower, word) <= Math.max(2, word.length() / 3))
        .min(Comparator.comparingInt(word -> distance(lower, word)));
  }

  private static Duration duration(Option option, String text, Amount amount) {
    BigInteger nanos = amount.number.multiply(unit(TIME, amount)).toBigInteger();
    if (nanos.compareTo(LONG_MAX) > 0) {
      throw OptionException.refused(option, text, "it is too long");
    }
    return Duration.ofNanos(nanos.longValue());
  }

  private static long size(Option option, String text, Amount amount) {
    BigInteger bytes = amount.number.multiply(unit(SIZE, amount)).toBigInteger();
    if (bytes.compareTo(LONG_MAX) > 0) {
      throw OptionException.refused(option, text, "it is too large");
    }
    return bytes.longValue();
  }

  private static BigDecimal unit(Map<String, BigDecimal> units, Amount amount) {
    return units.getOrDefault(amount.unit, BigDecimal.ONE);
  }

  private static @Nullable Amount amount(String text) {
    String trimmed = text.strip();
    if (trimmed.length() > LONGEST_NUMBER) {
      return null;
    }
    Matcher matcher = AMOUNT.matcher(trimmed);
    return matcher.matches()
        ? new Amount(new BigDecimal(matcher.group(1)), matcher.group(2))
        : null;
  }

  private static String plain(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }

  /** Whether nothing in the text would be {@linkplain #escape escaped} for being invisible. */
  public static boolean isPlain(String text) {
    return text.codePoints().allMatch(OptionText::isPlain);
  }

  private static boolean isPlain(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }

  /** Levenshtein's distance, ignoring case, in one row of memory. */
  private static int distance(String lower, String word) {
    String other = word.toLowerCase(Locale.ROOT);
    int[] row = new int[other.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= lower.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int changed = diagonal + (lower.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[other.length()];
  }
}
