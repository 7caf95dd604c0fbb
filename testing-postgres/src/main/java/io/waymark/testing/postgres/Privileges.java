package io.waymark.testing.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How a server is started: PostgreSQL refuses to run as root, so root needs a prefix that takes its
 * rights away.
 *
 * <ul>
 *   <li>{@code unshare -U} runs the server in a user namespace of its own, where it is nobody;
 *       outside, its files stay root's.
 *   <li>{@code setpriv} changes the user for real; for where namespaces are forbidden, as in many
 *       containers. The server's files must then belong to that user.
 * </ul>
 *
 * @param prefix what comes before the server's command; empty for an ordinary user
 * @param uid the user who must own the server's files, or -1 for the present one
 */
record Privileges(List<String> prefix, int uid) {

  /** Forces one way: {@code unshare} or {@code setpriv}. For tests and odd containers. */
  static final String PROPERTY = "waymark.postgres.privileges";

  private static final int NOBODY = 65534;

  Privileges {
    prefix = List.copyOf(prefix);
  }

  private static final class Detected {
    static final Privileges INSTANCE = detect();
  }

  /** The way that works here; tried once per JVM. */
  static Privileges get() {
    String forced = System.getProperty(PROPERTY, "");
    return switch (forced) {
      case "" -> Detected.INSTANCE;
      case "unshare" -> unshare();
      case "setpriv" -> setpriv();
      default ->
          throw new PostgresClusterException(
              PROPERTY + " must be unshare or setpriv, was '" + forced + "'");
    };
  }

  private static Privileges detect() {
    if (currentUid() != 0) {
      return new Privileges(List.of(), -1);
    }
    for (Privileges way : List.of(unshare(), setpriv())) {
      if (Command.run(way.prefix(), "id", "-u").ok()) {
        return way;
      }
    }
    throw new PostgresClusterException(
        "PostgreSQL does not run as root, and neither 'unshare -U' nor 'setpriv --reuid' works"
            + " here. Run the tests as an ordinary user, allow user namespaces, or install"
            + " util-linux's setpriv.");
  }

  private static Privileges unshare() {
    return new Privileges(List.of("unshare", "-U"), -1);
  }

  private static Privileges setpriv() {
    return new Privileges(
        List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"), NOBODY);
  }

  /** Whether the server's files must be readable for another user. */
  boolean changesUser() {
    return uid >= 0;
  }

  /** The user's number, or -1 where the system has none. */
  static int currentUid() {
    return Uid.CURRENT;
  }

  private static final class Uid {
    static final int CURRENT = probe();
  }

  /** A new file belongs to whoever made it; Java has no other way to ask. */
  private static int probe() {
    try {
      Path probe = Files.createTempFile("waymark-uid-", "");
      try {
        return (Integer) Files.getAttribute(probe, "unix:uid");
      } finally {
        Files.deleteIfExists(probe);
      }
    } catch (IOException | UnsupportedOperationException e) {
      return -1;
    }
  }
}
