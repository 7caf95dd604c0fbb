package io.waymark.coordinator;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** The JSON of the coordinator's own rows. Equal values have equal text. */
final class CanonicalJson {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();
  private static final TypeReference<TreeMap<String, String>> TEXTS = new TypeReference<>() {};

  private CanonicalJson() {}

  /** The same JSON, numbers as they are, with the properties of every object in one order. */
  static String of(String json) {
    return MAPPER.writeValueAsString(MAPPER.readTree(json));
  }

  static String texts(Map<String, String> texts) {
    return MAPPER.writeValueAsString(new TreeMap<>(texts));
  }

  static SortedMap<String, String> texts(String json) {
    return MAPPER.readValue(json, TEXTS);
  }

  static String list(List<String> list) {
    return MAPPER.writeValueAsString(list);
  }

  static String[] list(String json) {
    return MAPPER.readValue(json, String[].class);
  }
}
