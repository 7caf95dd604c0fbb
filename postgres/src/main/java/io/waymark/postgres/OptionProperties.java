package io.waymark.postgres;

import io.waymark.core.OptionException;
import io.waymark.core.OptionText;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Options as texts by path, sorted out: every key is known and the replicas are without a gap.
 *
 * @param common the options that belong to no replica
 * @param properties the driver's properties, by their own names
 * @param replicas the options of each replica, by its index
 */
record OptionProperties(
    Map<PostgresOption, String> common,
    Map<String, String> properties,
    NavigableMap<Integer, Map<PostgresOption, String>> replicas) {
  private static final Pattern INDEX = Pattern.compile("\\[(0|[1-9][0-9]{0,5})]");
  private static final Pattern LIKE_A_KEY = Pattern.compile("[A-Za-z0-9._\\[\\]-]{0,80}");
  private static final List<String> PATHS =
      Arrays.stream(PostgresOption.values()).map(PostgresOption::path).toList();

  /** Sorts out the texts. */
  static OptionProperties of(Map<String, String> texts) {
    OptionProperties sorted =
        new OptionProperties(new EnumMap<>(PostgresOption.class), new TreeMap<>(), new TreeMap<>());
    new TreeMap<>(texts).forEach(sorted::put);
    sorted.checkGaps();
    return sorted;
  }

  /** The texts of properties and of their defaults. */
  static Map<String, String> texts(Properties properties) {
    properties.forEach(
        (key, value) -> {
          if (!(key instanceof String) || !(value instanceof String)) {
            String shown = key instanceof String name ? shown(name) : "a key";
            throw new OptionException(
                shown + " is not text in the properties. Accepted: keys and values that are text.");
          }
        });
    Map<String, String> texts = new HashMap<>();
    for (String key : properties.stringPropertyNames()) {
      texts.put(key, properties.getProperty(key, ""));
    }
    return texts;
  }

  /** Sets everything on the builder. */
  void applyTo(WaymarkDataSourceBuilder builder) {
    if (!replicas.isEmpty() && builder.replicaCount() > 0) {
      throw new OptionException(
          "replicas[0] is given as text, but replicas were added before: give all in one way");
    }
    common.forEach(builder::set);
    properties.forEach(builder::property);
    replicas.forEach((index, texts) -> builder.replica(replica -> texts.forEach(replica::set)));
  }

  private void put(String key, @Nullable String value) {
    if (key.startsWith(DriverProperty.PREFIX)) {
      putProperty(key.substring(DriverProperty.PREFIX.length()), value);
      return;
    }
    Matcher index = INDEX.matcher(key);
    boolean indexed = index.find();
    String path = indexed ? index.replaceFirst("[i]") : key;
    PostgresOption option = byPath(path).orElseThrow(() -> unknown(key));
    if (option.ofReplica() != indexed) {
      throw unknown(key);
    }
    if (value == null) {
      throw OptionException.missing(indexed ? option.at(Integer.parseInt(index.group(1))) : option);
    }
    String text = option == PostgresOption.PASSWORD ? value : value.strip();
    if (indexed) {
      Integer place = Integer.valueOf(index.group(1));
      replicas.computeIfAbsent(place, i -> new EnumMap<>(PostgresOption.class)).put(option, text);
    } else {
      common.put(option, text);
    }
  }

  private void putProperty(String name, @Nullable String value) {
    String text = value == null || new DriverProperty(name).secret() ? value : value.strip();
    properties.put(name, DriverProperty.check(name, text));
  }

  private void checkGaps() {
    int expected = 0;
    for (int index : replicas.keySet()) {
      if (index != expected) {
        throw new OptionException(
            "replicas["
                + index
                + "] is given but replicas["
                + expected
                + "] is not. Accepted: indices from 0 without a gap.");
      }
      expected++;
    }
  }

  private static Optional<PostgresOption> byPath(String path) {
    return Arrays.stream(PostgresOption.values())
        .filter(option -> option.path().equals(path))
        .findFirst();
  }

  /** The value is left out: what is misspelt may be a password. */
  private static OptionException unknown(String key) {
    Matcher index = INDEX.matcher(key);
    String place = index.find() ? index.group() : "[0]";
    String hint =
        OptionText.nearest(INDEX.matcher(key).replaceFirst("[i]"), PATHS)
            .map(path -> "; did you mean " + path.replace("[i]", place) + "?")
            .orElse("");
    return new OptionException(
        shown(key) + " is not an option" + hint + ". Accepted: " + String.join(", ", PATHS) + ".");
  }

  /** The part that looks like a key: a URL that ended up here may hold credentials. */
  private static String shown(String key) {
    Matcher start = LIKE_A_KEY.matcher(key);
    String shown = start.lookingAt() ? start.group() : "";
    return "\"" + shown + (shown.length() < key.length() ? "…\"" : "\"");
  }
}
