package io.waymark.publish.redis;

import io.waymark.core.OptionText;
import java.util.regex.Pattern;

/** Where groups are in Redis: a hash for each, and a channel on which changes are told. */
record RedisKeys(String prefix) {
  static final String DEFAULT_PREFIX = "waymark:group:";

  /** The field that readers read. */
  static final String ENCODED = "encoded";

  /** Nothing that a pattern of SCAN takes for more than itself. */
  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9:._/{}-]{1,100}");

  /** Separates group and stamp in a message; neither can hold it. */
  private static final char SEPARATOR = '\n';

  /**
   * Compares and writes, in one step since Redis runs nothing beside a script. Numbers are compared
   * as decimal text, because Lua's lose digits above 2^53. The message goes out before the write:
   * an account that may not publish is refused before anything is changed.
   *
   * <p>Key: the group's. Arguments: authority, epoch, version, encoded; authority, epoch and
   * version that may be replaced; channel, message. Answers with nothing if it is stored, else with
   * authority, epoch and version of what is.
   */
  static final String WRITE =
      """
      local stored = redis.call('HMGET', KEYS[1], 'authority', 'epoch', 'version', 'encoded')
      local function larger(a, b)
        if #a ~= #b then return #a > #b end
        return a > b
      end
      if stored[1] and stored[2] and stored[3] then
        local same = stored[2] == ARGV[2]
        local newer = stored[1] == ARGV[1]
          and (larger(ARGV[2], stored[2]) or (same and larger(ARGV[3], stored[3])))
        local named = stored[1] == ARGV[5] and stored[2] == ARGV[6] and stored[3] == ARGV[7]
        if not newer and not named then
          if stored[1] == ARGV[1] and same and stored[3] == ARGV[3] and stored[4] == ARGV[4] then
            return {}
          end
          return {stored[1], stored[2], stored[3]}
        end
      end
      redis.call('PUBLISH', ARGV[8], ARGV[9])
      redis.call('HSET', KEYS[1],
        'authority', ARGV[1], 'epoch', ARGV[2], 'version', ARGV[3], 'encoded', ARGV[4])
      return {}
      """;

  /**
   * @throws IllegalArgumentException if the prefix is empty, long or holds what patterns use
   */
  RedisKeys {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "prefix "
              + OptionText.quote(prefix)
              + " cannot be used. Accepted: 1 to 100 letters, digits and : . _ / { } -");
    }
  }

  String key(String group) {
    return prefix + group;
  }

  String group(String key) {
    return key.substring(prefix.length());
  }

  String pattern() {
    return prefix + "*";
  }

  String channel() {
    return prefix + "changes";
  }

  static String message(String group, String stamp) {
    return group + SEPARATOR + stamp;
  }

  /** Group and stamp of a message; the stamp is empty where there is none. */
  static String[] parts(String message) {
    int end = message.indexOf(SEPARATOR);
    return end < 0
        ? new String[] {message, ""}
        : new String[] {message.substring(0, end), message.substring(end + 1)};
  }
}
