package io.waymark.postgres;

import io.waymark.core.Option;
import io.waymark.core.OptionException;
import io.waymark.core.OptionText;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a {@code jdbc:postgresql:} URL leads, read as the driver reads it. It is what may be shown
 * of a URL: everything else in it may be a credential.
 *
 * @param host a name or an address, the latter in brackets if it is IPv6
 * @param port from 1 to 65535
 * @param database empty for the driver's default, which is the role's name
 */
record EndpointUrl(String host, int port, String database) {
  private static final String PREFIX = "jdbc:postgresql:";
  private static final Pattern SCHEME =
      Pattern.compile("((?:jdbc:[a-z][a-z0-9+.-]{0,30}:)|(?:[a-z][a-z0-9+.-]{0,30}:(?=//)))");
  private static final Pattern ADDRESS =
      Pattern.compile("(\\[[^\\[\\]]*]|[^:\\[\\]]*)(?::([0-9]{1,5}))?");
  private static final Pattern NOT_OF_A_NAME = Pattern.compile("[@&;=?:].*", Pattern.DOTALL);
  private static final Set<String> ADDRESS_PARAMETERS = Set.of("PGHOST", "PGPORT", "PGDBNAME");
  private static final int DEFAULT_PORT = 5432;
  private static final int LONGEST_SHOWN = 320;

  EndpointUrl {
    host = host.isEmpty() ? "localhost" : host;
  }

  /**
   * Reads a URL that names one server.
   *
   * @throws OptionException if it is null or empty, is no URL of the driver, or names several
   *     servers; the message shows no part of the URL that may be a credential
   */
  static EndpointUrl parse(Option option, @Nullable String url) {
    if (url == null) {
      throw OptionException.missing(option);
    }
    if (url.isBlank()) {
      throw refused(option, "it is empty");
    }
    if (!url.startsWith(PREFIX)) {
      Matcher scheme = SCHEME.matcher(url);
      String found = scheme.lookingAt() ? "its scheme is " + scheme.group() : "it has no scheme";
      throw refused(option, "it does not start with " + PREFIX + ", " + found);
    }
    int query = url.indexOf('?');
    String server = url.substring(PREFIX.length(), query < 0 ? url.length() : query);
    EndpointUrl named = server(option, server);
    return query < 0 ? named : named.with(option, url.substring(query + 1));
  }

  private static EndpointUrl server(Option option, String server) {
    if (!server.startsWith("//")) {
      if (server.startsWith("/")) {
        throw refused(option, "a host is named after two slashes, not one");
      }
      return new EndpointUrl("localhost", DEFAULT_PORT, decoded(option, noUser(option, server)));
    }
    String rest = server.substring(2);
    int slash = rest.indexOf('/');
    oneHost(option, slash < 0 ? rest : rest.substring(0, slash));
    if (slash < 0 && !rest.isEmpty()) {
      throw refused(option, "a slash and the database must follow the host");
    }
    if (rest.indexOf('/', slash + 1) > slash && slash >= 0) {
      throw refused(option, "it has more than one slash after the host");
    }
    String database = slash < 0 ? "" : decoded(option, rest.substring(slash + 1));
    return address(option, slash < 0 ? "" : rest.substring(0, slash), database);
  }

  private static EndpointUrl address(Option option, String address, String database) {
    Matcher matcher = ADDRESS.matcher(address);
    if (!matcher.matches()) {
      throw refused(option, "its host and port cannot be read");
    }
    String host = matcher.group(1);
    String port = matcher.group(2);
    return new EndpointUrl(host, port == null ? DEFAULT_PORT : port(option, port), database);
  }

  /** What parameters change of the address: the driver prefers them over the place before. */
  private EndpointUrl with(Option option, String query) {
    EndpointUrl result = this;
    for (String parameter : query.split("&", -1)) {
      int equals = parameter.indexOf('=');
      result =
          equals < 0
              ? result.with(option, parameter, "")
              : result.with(
                  option,
                  driverName(parameter.substring(0, equals)),
                  decoded(option, parameter.substring(equals + 1)));
    }
    return result;
  }

  /** With a value, the driver takes {@code host}, in any case, as {@code PGHOST}; and so on. */
  private static String driverName(String name) {
    String longer = "PG" + name.toUpperCase(Locale.ROOT);
    return ADDRESS_PARAMETERS.contains(longer) ? longer : name;
  }

  private EndpointUrl with(Option option, String name, String value) {
    return switch (name) {
      case "PGHOST" -> new EndpointUrl(oneHost(option, value), port, database);
      case "PGPORT" -> new EndpointUrl(host, port(option, value), database);
      case "PGDBNAME" -> new EndpointUrl(host, port, value);
      case "service" ->
          throw refused(
              option,
              "a service file may name any servers; give the host and the database instead");
      default -> {
        String why = DriverProperty.whyNotInUrl(name);
        if (why != null) {
          throw refused(option, "its parameter " + name + " is not for the driver: " + why);
        }
        yield this;
      }
    };
  }

  private static String noUser(Option option, String address) {
    if (address.contains("@")) {
      throw refused(
          option, "the driver takes no user before the host; give user and password as options");
    }
    return address;
  }

  private static String oneHost(Option option, String address) {
    if (noUser(option, address).contains(",")) {
      throw refused(
          option,
          "it names several hosts ("
              + OptionText.escape(address, LONGEST_SHOWN)
              + "), behind which servers would hide from routing; give each server as an endpoint"
              + " of its own, the primary and its replicas");
    }
    return address;
  }

  private static int port(Option option, String text) {
    if (!text.matches("[0-9]{1,5}")) {
      throw refused(option, "its port is not one number");
    }
    int port = Integer.parseInt(text);
    if (port < 1 || port > 65535) {
      throw refused(option, "its port " + port + " is not between 1 and 65535");
    }
    return port;
  }

  private static String decoded(Option option, String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException broken) {
      // Not kept as the cause: its message repeats a piece of the text.
      throw refused(option, "a percent sign in it is not followed by two hexadecimal digits");
    }
  }

  private static OptionException refused(Option option, String why) {
    return OptionException.refused(option, "", why);
  }

  /**
   * {@code host:port/database}, and no credentials: a database's name is cut where it looks like
   * parameters or a user that ended up in the wrong place.
   */
  @Override
  public String toString() {
    String shown = NOT_OF_A_NAME.matcher(database).replaceFirst("…");
    return OptionText.escape(host + ":" + port + "/" + shown, LONGEST_SHOWN);
  }
}
