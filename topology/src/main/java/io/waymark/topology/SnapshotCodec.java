package io.waymark.topology;

import io.waymark.core.OptionText;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * The encoded form of what is published: one JSON object, the only form that stores hold and
 * readers take.
 *
 * <pre>{@code
 * {"format":1,"group":"acme","authority":"c1","epoch":1,"version":7,
 *  "members":[{"id":"acme-0","state":"active","attributes":{"endpoint":"https://10.0.0.7"}}]}
 * {"format":1,"group":"acme","authority":"c1","epoch":1,"version":8,"deleted":true}
 * }</pre>
 *
 * <p>Encoding is deterministic: equal values give equal text. Decoding takes the text for hostile:
 *
 * <ul>
 *   <li>At most {@value #LONGEST} characters, objects and lists at most {@value #DEEPEST} deep; the
 *       limits of {@link GroupSnapshot} and {@link Member} hold.
 *   <li>{@code format} comes first, so that a newer format is called that and nothing else.
 *   <li>Fields of other names are skipped, so that a later version may add some without a new
 *       format; a field that is there twice, is missing, or has a value of another type is refused.
 *   <li>A member in an unknown state is refused with the whole snapshot: it might hold data, so
 *       that leaving it out would lose reads.
 *   <li>Nothing may follow the object.
 * </ul>
 */
public final class SnapshotCodec {
  /** The longest encoded form, in characters. */
  public static final int LONGEST = 1 << 20;

  private static final int FORMAT = 1;
  private static final int DEEPEST = 16;
  private static final int LONGEST_STRING = 4096;
  private static final int LONGEST_SHOWN = 200;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEEPEST)
                  .maxStringLength(LONGEST_STRING)
                  .maxNameLength(LONGEST_STRING)
                  .maxNumberLength(20)
                  .maxDocumentLength(LONGEST)
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  private SnapshotCodec() {}

  /**
   * The encoded form.
   *
   * @throws IllegalArgumentException if it would be longer than {@value #LONGEST} characters, or
   *     the stamp is {@link Stamp#LOCAL}: what nobody issued is not published
   */
  public static String encode(Published published) {
    Stamp stamp = published.stamp();
    if (stamp.isLocal()) {
      throw new IllegalArgumentException(
          "group " + published.group() + " was made locally and cannot be published");
    }
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeNumberProperty("format", FORMAT);
      json.writeStringProperty("group", published.group());
      json.writeStringProperty("authority", stamp.authority());
      json.writeNumberProperty("epoch", stamp.epoch());
      json.writeNumberProperty("version", stamp.version());
      if (published instanceof GroupSnapshot snapshot) {
        write(json, snapshot.members());
      } else {
        json.writeBooleanProperty("deleted", true);
      }
      json.writeEndObject();
    }
    String encoded = text.toString();
    if (encoded.length() > LONGEST) {
      throw new IllegalArgumentException(
          "group "
              + published.group()
              + " is too large: its encoded form would have "
              + encoded.length()
              + " characters; at most "
              + LONGEST
              + " are accepted");
    }
    return encoded;
  }

  private static void write(JsonGenerator json, List<Member> members) {
    json.writeArrayPropertyStart("members");
    for (Member member : members) {
      json.writeStartObject();
      json.writeStringProperty("id", member.id());
      json.writeStringProperty("state", member.state().text());
      if (!member.attributes().isEmpty()) {
        json.writeObjectPropertyStart("attributes");
        member.attributes().forEach(json::writeStringProperty);
        json.writeEndObject();
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /**
   * What the text stands for.
   *
   * @param group whose snapshot was asked for; another's is refused
   * @throws InvalidSnapshotException if the text is no snapshot, is too large, is one of another
   *     group, or of a newer format
   */
  public static Published decode(String group, String encoded) {
    Published published = decoded("group " + OptionText.quote(group), encoded);
    if (!published.group().equals(group)) {
      throw invalid(
          "group " + OptionText.quote(group), "it is of group " + published.group(), null);
    }
    return published;
  }

  /** As {@link #decode(String, String)}, whichever group it is of. */
  static Published decodeAny(String encoded) {
    return decoded("a group", encoded);
  }

  private static Published decoded(String whose, String encoded) {
    try {
      return parse(encoded);
    } catch (JacksonException e) {
      throw invalid(whose, e.getOriginalMessage(), e);
    } catch (Malformed | IllegalArgumentException e) {
      throw invalid(whose, String.valueOf(e.getMessage()), e);
    }
  }

  private static InvalidSnapshotException invalid(
      String whose, String why, @Nullable Throwable cause) {
    return new InvalidSnapshotException(
        "what is stored for "
            + whose
            + " is no snapshot that can be used: "
            + OptionText.escape(why, LONGEST_SHOWN),
        cause);
  }

  /** The JSON is well formed and says nothing that makes a snapshot. */
  private static final class Malformed extends Exception {
    private static final long serialVersionUID = 1;

    Malformed(String message) {
      super(message);
    }
  }

  /** What has been read of the outer object. */
  private static final class Fields {
    @Nullable String group;
    @Nullable String authority;
    @Nullable Long epoch;
    @Nullable Long version;
    @Nullable List<Member> members;
    boolean deleted;

    Published published() throws Malformed {
      String name = present("group", group);
      Stamp stamp =
          new Stamp(
              Names.check("authority", present("authority", authority)),
              present("epoch", epoch),
              present("version", version));
      if (deleted != (members == null)) {
        throw new Malformed("exactly one of members and deleted must be given");
      }
      return members == null ? new Tombstone(name, stamp) : new GroupSnapshot(name, stamp, members);
    }
  }

  private static Published parse(String encoded) throws Malformed {
    if (encoded.length() > LONGEST) {
      throw new Malformed("it is longer than " + LONGEST + " characters");
    }
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), encoded)) {
      expect(json, json.nextToken(), JsonToken.START_OBJECT, "the snapshot");
      format(json);
      Fields fields = new Fields();
      for (String name = json.nextName(); name != null; name = json.nextName()) {
        field(json, name, fields);
      }
      if (json.nextToken() != null) {
        throw new Malformed("something follows the snapshot");
      }
      return fields.published();
    }
  }

  private static void format(JsonParser json) throws Malformed {
    if (!"format".equals(json.nextName())) {
      throw new Malformed("it does not start with its format");
    }
    long format = number(json, "format");
    if (format != FORMAT) {
      throw new Malformed(
          "its format is " + format + " and this version of Waymark reads format " + FORMAT);
    }
  }

  private static void field(JsonParser json, String name, Fields fields) throws Malformed {
    switch (name) {
      case "group" -> fields.group = string(json, name);
      case "authority" -> fields.authority = string(json, name);
      case "epoch" -> fields.epoch = number(json, name);
      case "version" -> fields.version = number(json, name);
      case "members" -> fields.members = members(json);
      case "deleted" -> {
        expect(json, json.nextToken(), JsonToken.VALUE_TRUE, name);
        fields.deleted = true;
      }
      default -> skip(json);
    }
  }

  private static List<Member> members(JsonParser json) throws Malformed {
    expect(json, json.nextToken(), JsonToken.START_ARRAY, "members");
    List<Member> members = new ArrayList<>();
    for (JsonToken token = json.nextToken();
        token != JsonToken.END_ARRAY;
        token = json.nextToken()) {
      expect(json, token, JsonToken.START_OBJECT, "a member");
      if (members.size() == GroupSnapshot.MOST_MEMBERS) {
        throw new Malformed("it has more than " + GroupSnapshot.MOST_MEMBERS + " members");
      }
      members.add(member(json));
    }
    return members;
  }

  private static Member member(JsonParser json) throws Malformed {
    String id = null;
    MemberState state = null;
    Map<String, String> attributes = Map.of();
    for (String name = json.nextName(); name != null; name = json.nextName()) {
      switch (name) {
        case "id" -> id = string(json, name);
        case "state" -> state = state(string(json, name));
        case "attributes" -> attributes = attributes(json);
        default -> skip(json);
      }
    }
    return new Member(
        present("id of a member", id), present("state of a member", state), attributes);
  }

  private static MemberState state(String text) throws Malformed {
    return MemberState.of(text)
        .orElseThrow(() -> new Malformed("a member is in an unknown state: " + text));
  }

  private static Map<String, String> attributes(JsonParser json) throws Malformed {
    expect(json, json.nextToken(), JsonToken.START_OBJECT, "attributes");
    Map<String, String> attributes = new TreeMap<>();
    for (String name = json.nextName(); name != null; name = json.nextName()) {
      attributes.put(name, string(json, "an attribute"));
      if (attributes.size() > Member.MOST_ATTRIBUTES) {
        throw new Malformed("a member has more than " + Member.MOST_ATTRIBUTES + " attributes");
      }
    }
    return attributes;
  }

  private static String string(JsonParser json, String what) throws Malformed {
    expect(json, json.nextToken(), JsonToken.VALUE_STRING, what);
    return json.getString();
  }

  private static long number(JsonParser json, String what) throws Malformed {
    expect(json, json.nextToken(), JsonToken.VALUE_NUMBER_INT, what);
    return json.getLongValue();
  }

  private static void skip(JsonParser json) {
    json.nextToken();
    json.skipChildren();
  }

  private static <T> T present(String what, @Nullable T value) throws Malformed {
    if (value == null) {
      throw new Malformed("its " + what + " is missing");
    }
    return value;
  }

  private static void expect(
      JsonParser json, @Nullable JsonToken found, JsonToken expected, String what)
      throws Malformed {
    if (found != expected) {
      throw new Malformed(
          what
              + " is "
              + (found == null ? "missing" : found)
              + " instead of "
              + expected
              + " at "
              + json.currentLocation().offsetDescription());
    }
  }
}
