package io.waymark.topology;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * One member of a group: a shard, a node, whatever work is spread over. Immutable.
 *
 * @param id unique within the group; the rules of names apply: at most 128 characters, no control
 *     characters, no white space around it
 * @param state what it may be used for
 * @param attributes what callers need to reach and choose it, sorted by key; at most {@value
 *     #MOST_ATTRIBUTES}. {@link #ENDPOINT}, {@link #WEIGHT} and {@link #ZONE} have a meaning to
 *     Waymark, all others are the application's. They are published: nothing secret belongs here
 */
public record Member(String id, MemberState state, Map<String, String> attributes) {
  /** Attribute: where it is reached, in whatever form the caller's transport takes. */
  public static final String ENDPOINT = "endpoint";

  /** Attribute: its share relative to the others, a positive decimal number. */
  public static final String WEIGHT = "weight";

  /** Attribute: where it stands, for callers that prefer what is near. */
  public static final String ZONE = "zone";

  /** How many attributes a member may have. */
  public static final int MOST_ATTRIBUTES = 32;

  private static final Pattern DECIMAL = Pattern.compile("[0-9]+(\\.[0-9]+)?");
  private static final int LONGEST_KEY = 64;
  private static final int LONGEST_VALUE = 1024;

  /**
   * @throws IllegalArgumentException if the id is no usable name, there are too many attributes, a
   *     key is empty or longer than 64 characters, a value is longer than 1,024, or the weight is
   *     not a positive decimal number
   */
  public Member {
    Names.check("member id", id);
    attributes = sorted(id, attributes);
    checkWeight(id, attributes);
  }

  /** An active member without attributes. */
  public static Member active(String id) {
    return new Member(id, MemberState.ACTIVE, Map.of());
  }

  /** A draining member without attributes. */
  public static Member draining(String id) {
    return new Member(id, MemberState.DRAINING, Map.of());
  }

  /** A joining member without attributes. */
  public static Member joining(String id) {
    return new Member(id, MemberState.JOINING, Map.of());
  }

  /** The same member with one attribute set. */
  public Member with(String key, String value) {
    SortedMap<String, String> more = new TreeMap<>(attributes);
    more.put(key, value);
    return new Member(id, state, more);
  }

  /** The same member in another state. */
  public Member in(MemberState state) {
    return new Member(id, state, attributes);
  }

  /** Where it is reached; the attribute {@value #ENDPOINT}. */
  public Optional<String> endpoint() {
    return Optional.ofNullable(attributes.get(ENDPOINT));
  }

  /** Its share relative to the others; the attribute {@value #WEIGHT}, 1 without it. */
  public double weight() {
    return weightOf(attributes);
  }

  /** Where it stands; the attribute {@value #ZONE}. */
  public Optional<String> zone() {
    return Optional.ofNullable(attributes.get(ZONE));
  }

  private static Map<String, String> sorted(String id, Map<String, String> attributes) {
    if (attributes.size() > MOST_ATTRIBUTES) {
      throw new IllegalArgumentException(
          "member " + id + " has " + attributes.size() + " attributes; at most 32 are accepted");
    }
    SortedMap<String, String> sorted = new TreeMap<>();
    attributes.forEach(
        (key, value) -> {
          if (key.isBlank()) {
            throw new IllegalArgumentException("member " + id + " has an attribute without a name");
          }
          Names.checkText("attribute of member " + id, key, LONGEST_KEY);
          checkLength(id, key, value);
          sorted.put(key, value);
        });
    return Collections.unmodifiableSortedMap(sorted);
  }

  private static void checkLength(String id, String key, String value) {
    if (value.length() > LONGEST_VALUE) {
      throw new IllegalArgumentException(
          "attribute " + key + " of member " + id + " is longer than 1024 characters");
    }
  }

  private static double weightOf(Map<String, String> attributes) {
    String text = attributes.get(WEIGHT);
    return text == null ? 1 : Double.parseDouble(text);
  }

  private static void checkWeight(String id, Map<String, String> attributes) {
    String text = attributes.get(WEIGHT);
    double weight =
        text == null ? 1 : DECIMAL.matcher(text).matches() ? Double.parseDouble(text) : 0;
    if (weight == 0 || Double.isInfinite(weight)) {
      throw new IllegalArgumentException(
          "the weight of member " + id + " must be a positive decimal number, such as 2.5");
    }
  }

  /** Id and state, such as {@code acme-1 (draining)}; attributes are left out. */
  @Override
  public String toString() {
    return id + " (" + state + ")";
  }
}
