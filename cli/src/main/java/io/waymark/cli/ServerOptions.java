package io.waymark.cli;

import io.waymark.core.OptionException;
import io.waymark.core.OptionText;
import io.waymark.postgres.EndpointProbe;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of commands that look at the user's own servers. */
final class ServerOptions {
  static final String PASSWORD_VARIABLE = "WAYMARK_PASSWORD";

  private static final CliOption TIMEOUT =
      new CliOption("--timeout", "a time from 1ms to 10 minutes, such as 2s");
  private static final CliOption USER = new CliOption("--user", "the name of a role");
  private static final Duration LONGEST = Duration.ofMinutes(10);

  @Parameters(
      arity = "1..*",
      paramLabel = "URL",
      description = "jdbc:postgresql://host:port/database, one server each.")
  private List<String> urls = List.of();

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description = "The login role where a URL names none; default: the driver's.")
  private @Nullable String user;

  @Option(
      names = "--password",
      paramLabel = "TEXT",
      description =
          "Its password. Others can see it among the processes: better set "
              + PASSWORD_VARIABLE
              + " in the environment.")
  private @Nullable String password;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "3s",
      description = "How long a server may take; default ${DEFAULT-VALUE}.")
  private String timeout = "";

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the result as JSON; - for stdout instead of the table.")
  private @Nullable String json;

  ServerOptions() {}

  List<String> urls() {
    return urls;
  }

  /** Where each URL leads; throws if one cannot be used. */
  List<String> addresses() {
    return IntStream.range(0, urls.size())
        .mapToObj(
            i ->
                EndpointProbe.address(
                    new CliOption(
                        "URL " + (i + 1), "a jdbc:postgresql: URL that names one server", true),
                    urls.get(i)))
        .toList();
  }

  @Nullable String user() {
    if (user != null && user.isBlank()) {
      throw OptionException.refused(USER, user, "it is empty");
    }
    return user;
  }

  @Nullable String password() {
    return password != null ? password : System.getenv(PASSWORD_VARIABLE);
  }

  Duration timeout() {
    Duration time = OptionText.duration(TIMEOUT, timeout);
    if (time.compareTo(Duration.ofMillis(1)) < 0) {
      throw OptionException.refused(TIMEOUT, timeout, "it is too short");
    }
    if (time.compareTo(LONGEST) > 0) {
      throw OptionException.refused(TIMEOUT, timeout, "it is too long");
    }
    return time;
  }

  /** Where JSON goes; null for nowhere. */
  @Nullable JsonFile json() {
    return json == null ? null : JsonFile.of(json);
  }
}
