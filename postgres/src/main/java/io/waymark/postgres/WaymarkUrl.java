package io.waymark.postgres;

import io.waymark.core.Option;
import io.waymark.core.OptionException;
import io.waymark.core.OptionText;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A {@code jdbc:waymark:postgresql:} URL with the properties given beside it, read into options.
 *
 * <p>The first host is the primary, the others are replicas in their order. Parameters that are
 * paths of options are options, all others are properties of the PostgreSQL driver.
 *
 * @param texts the options by path, complete and with credentials: never shown
 */
record WaymarkUrl(Map<String, String> texts) {
  /** How every such URL begins. */
  static final String PREFIX = "jdbc:waymark:postgresql:";

  private static final int LONGEST = 16_384;
  private static final int MOST_HOSTS = 64;
  private static final Pattern HOST =
      Pattern.compile("(\\[[0-9A-Fa-f:.%]{2,64}]|[A-Za-z0-9._-]{1,255})(:[0-9]{1,5})?");
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.\\[\\]-]{0,80}");
  private static final Pattern REPLICA = Pattern.compile("replicas\\[([0-9]{1,3})]\\.(.+)");

  /** What the hosts of the URL stand for. */
  private static final Set<PostgresOption> HOSTS =
      Set.of(PostgresOption.PRIMARY, PostgresOption.REPLICA_URL, PostgresOption.SINGLE);

  /** The URL as an option, for messages that never show it. */
  private enum TheUrl implements Option {
    URL;

    @Override
    public String path() {
      return "url";
    }

    @Override
    public String defaultText() {
      return "";
    }

    @Override
    public String accepted() {
      return PREFIX + "//primary:5432,replica:5432/database?routing.maxLag=5s&sslmode=require";
    }

    @Override
    public String description() {
      return "";
    }

    @Override
    public Tier tier() {
      return Tier.ESSENTIAL;
    }

    @Override
    public boolean secret() {
      return true;
    }
  }

  WaymarkUrl {
    texts = Map.copyOf(texts);
  }

  /**
   * Reads a URL that begins with {@link #PREFIX}.
   *
   * @param info what is given beside the URL; the URL wins where both say something
   * @throws OptionException if something cannot be read, or is given twice in the URL; the message
   *     shows nothing that may be a secret
   */
  static WaymarkUrl parse(String url, Properties info) {
    if (url.length() > LONGEST) {
      throw refused("it is longer than " + LONGEST + " characters");
    }
    int query = url.indexOf('?');
    String server = url.substring(PREFIX.length(), query < 0 ? url.length() : query);
    Map<String, String> texts = new TreeMap<>();
    int replicas = hosts(server, texts) - 1;
    OptionProperties.texts(info).forEach((name, value) -> texts.put(path(name, replicas), value));
    if (query >= 0) {
      parameters(url.substring(query + 1), replicas).forEach(texts::put);
    }
    return new WaymarkUrl(texts);
  }

  /** Puts an endpoint for each host, and says how many there are. */
  private static int hosts(String server, Map<String, String> texts) {
    if (!server.startsWith("//")) {
      throw refused("two slashes and a host must follow the scheme");
    }
    int slash = server.indexOf('/', 2);
    if (slash < 0) {
      throw refused("a slash and the database must follow the hosts");
    }
    String database = server.substring(slash + 1);
    if (database.indexOf('/') >= 0) {
      throw refused("it has more than one slash after the hosts");
    }
    List<String> hosts = List.of(server.substring(2, slash).split(",", -1));
    if (hosts.size() > MOST_HOSTS) {
      throw refused("it names more than " + MOST_HOSTS + " hosts");
    }
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < hosts.size(); i++) {
      String host = hosts.get(i);
      if (host.indexOf('@') >= 0) {
        throw refused("it has a user before the host; give user and password as parameters");
      }
      if (!HOST.matcher(host).matches()) {
        throw refused("host " + (i + 1) + " cannot be read");
      }
      if (!seen.add(host)) {
        throw refused("host " + (i + 1) + " is named twice");
      }
      String path = i == 0 ? "primary" : "replicas[" + (i - 1) + "].url";
      texts.put(path, "jdbc:postgresql://" + host + "/" + database);
    }
    return hosts.size();
  }

  private static Map<String, String> parameters(String query, int replicas) {
    Map<String, String> parameters = new TreeMap<>();
    for (String parameter : query.split("&", -1)) {
      int equals = parameter.indexOf('=');
      if (equals <= 0) {
        throw refused("a parameter has no name or no value");
      }
      String path = path(decoded(parameter.substring(0, equals)), replicas);
      if (parameters.put(path, decoded(parameter.substring(equals + 1))) != null) {
        throw new OptionException(path + " is given twice in the URL");
      }
    }
    return parameters;
  }

  /** The option that a parameter is, or that passes it to the driver. */
  private static String path(String name, int replicas) {
    if (!NAME.matcher(name).matches()) {
      throw refused("a parameter's name cannot be read");
    }
    Matcher replica = REPLICA.matcher(name);
    String path = replica.matches() ? "replicas[i]." + replica.group(2) : name;
    for (PostgresOption option : PostgresOption.values()) {
      if (option.path().equals(path) && HOSTS.contains(option)) {
        throw new OptionException(name + " cannot be a parameter: the hosts of the URL say it");
      }
    }
    if (replica.matches()) {
      if (Integer.parseInt(replica.group(1)) >= replicas) {
        throw new OptionException(name + " is of a replica that the URL does not name");
      }
      return name;
    }
    return isOption(path) || path.startsWith(DriverProperty.PREFIX) ? path : unknownOrDrivers(path);
  }

  private static String unknownOrDrivers(String name) {
    boolean likeAnOption =
        name.startsWith("routing.") || name.startsWith("replicas") || name.startsWith("pool");
    return likeAnOption ? name : DriverProperty.PREFIX + name;
  }

  /** Whether a URL may have this option as a parameter by its path. */
  static boolean isParameter(PostgresOption option) {
    return !HOSTS.contains(option)
        && !option.ofReplica()
        && option != PostgresOption.DRIVER_PROPERTY;
  }

  private static boolean isOption(String path) {
    for (PostgresOption option : PostgresOption.values()) {
      if (option.path().equals(path)) {
        return true;
      }
    }
    return false;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException broken) {
      // Not kept as the cause: its message repeats a piece of the text.
      throw refused("a percent sign in it is not followed by two hexadecimal digits");
    }
  }

  private static OptionException refused(String why) {
    return OptionException.refused(TheUrl.URL, "", why);
  }

  /** The configuration that it stands for. */
  WaymarkDataSourceBuilder builder() {
    return WaymarkDataSource.builder().properties(texts);
  }

  /** The primary's address only. */
  @Override
  public String toString() {
    return "WaymarkUrl["
        + OptionText.escape(
            EndpointUrl.parse(PostgresOption.PRIMARY, texts.get("primary")).toString(), 320)
        + "]";
  }
}
