package io.waymark.postgres;

import io.waymark.core.Option;
import io.waymark.core.OptionException;
import io.waymark.core.OptionText;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;

/**
 * One property of the PostgreSQL driver as an option: which may be passed on, which are Waymark's
 * own business, and which may hold secrets.
 *
 * @param name as the driver spells it
 */
record DriverProperty(String name) implements Option {
  /** What comes before the name in text form. */
  static final String PREFIX = "properties.";

  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]{0,63}");
  private static final int LONGEST_VALUE = 16_384;

  /** These would route, or make connections read-only, behind Waymark's back, also in a URL. */
  private static final Map<String, String> ROUTING =
      Map.of(
          "targetServerType", "roles are found out by probes; name primary and replicas instead",
          "loadBalanceHosts", "reads are spread by routing.select",
          "hostRecheckSeconds", "servers are watched by probes; see routing.probe",
          "readOnly", "read-only is declared on each connection",
          "readOnlyMode", "how read-only is enforced differs by server and is decided for each",
          "replication", "a replication connection does not take ordinary statements");

  private static final Map<String, String> OPTIONS =
      Map.of(
          "user", "it is the option user",
          "password", "it is the option password",
          "PGHOST", "the host is in the URL",
          "PGPORT", "the port is in the URL",
          "PGDBNAME", "the database is in the URL",
          "service", "a service file may name any servers; give the host in the URL",
          "connectTimeout", "it is the option connectTimeout",
          "loginTimeout", "it is the option connectTimeout");

  /** A class of the user's that gets all properties may want some that the driver does not know. */
  private static final List<String> READERS = List.of("socketFactory", "sslfactory");

  /** Known ones that may hold anything, besides those that are named after a secret. */
  private static final Set<String> FREE_TEXT =
      Set.of("options", "sslfactoryarg", "socketFactoryArg", "connectExecutorArg");

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
  private static final Set<String> NUMBERS =
      Set.of("socketTimeout", "defaultRowFetchSize", "prepareThreshold", "queryTimeout");

  private static final List<String> NAMES =
      Arrays.stream(PGProperty.values())
          .map(PGProperty::getName)
          .filter(name -> !ROUTING.containsKey(name) && !OPTIONS.containsKey(name))
          .toList();

  /** The names that may be passed on. */
  static List<String> names() {
    return NAMES;
  }

  /** Why a URL may not have this parameter; null if it may. */
  static @Nullable String whyNotInUrl(String name) {
    return ROUTING.get(name);
  }

  /**
   * Checks what can be checked of one property alone.
   *
   * @return the value
   * @throws OptionException if Waymark decides it itself, or the driver would not take the value
   */
  static String check(String name, @Nullable String value) {
    if (!NAME.matcher(name).matches()) {
      throw new OptionException(
          PREFIX + " must be followed by the name of one of the driver's properties");
    }
    DriverProperty property = new DriverProperty(name);
    if (value == null) {
      throw OptionException.missing(property);
    }
    String owned = ROUTING.containsKey(name) ? ROUTING.get(name) : OPTIONS.get(name);
    if (owned != null) {
      throw new OptionException(property.path() + " cannot be passed to the driver: " + owned);
    }
    if (value.length() > LONGEST_VALUE || value.indexOf('\0') >= 0) {
      throw OptionException.refused(property, "", "it is too long, or holds a zero character");
    }
    property.checkChoice(value);
    return value;
  }

  private void checkChoice(String value) {
    if (NUMBERS.contains(name) && !NUMBER.matcher(value).matches()) {
      throw OptionException.refused(this, value, "it is not a whole number");
    }
    List<String> choices = choices();
    if (!choices.isEmpty() && choices.stream().noneMatch(value::equalsIgnoreCase)) {
      throw OptionException.refused(this, value, "it is not one of the words");
    }
  }

  /**
   * Checks that the driver knows the names, so that a misspelt one is not ignored; with a factory
   * of the user's, which gets all of them, any name may be meant for that.
   */
  static void checkTogether(Map<String, String> properties) {
    if (READERS.stream().anyMatch(properties::containsKey)) {
      return;
    }
    for (String name : properties.keySet()) {
      if (PGProperty.forName(name) == null) {
        String hint =
            OptionText.nearest(name, NAMES)
                .map(near -> "; did you mean " + PREFIX + near + "?")
                .orElse("");
        throw new OptionException(
            PREFIX + name + " is not a property that the driver knows" + hint);
      }
    }
  }

  private List<String> choices() {
    PGProperty known = PGProperty.forName(name);
    String[] choices = known == null || name.equals("requireAuth") ? null : known.getChoices();
    return choices == null ? List.of() : List.of(choices);
  }

  @Override
  public String path() {
    return PREFIX + name;
  }

  @Override
  public String defaultText() {
    return "";
  }

  @Override
  public String accepted() {
    if (NUMBERS.contains(name)) {
      return "a whole number";
    }
    return choices().isEmpty() ? "what the driver takes" : String.join(", ", choices());
  }

  @Override
  public String description() {
    PGProperty known = PGProperty.forName(name);
    return known == null ? "" : known.getDescription();
  }

  @Override
  public Tier tier() {
    return Tier.RARE;
  }

  /** Named after a secret, free text, or not the driver's: then nobody knows what it holds. */
  @Override
  public boolean secret() {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.contains("password")
        || FREE_TEXT.contains(name)
        || PGProperty.forName(name) == null;
  }
}
