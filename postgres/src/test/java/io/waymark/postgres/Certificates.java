package io.waymark.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A certificate authority and a server's certificate for 127.0.0.1, made with the JDK's keytool.
 */
final class Certificates {
  private static final String PASSWORD = "changeit";

  private final Path folder;

  private Certificates(Path folder) {
    this.folder = folder;
  }

  /**
   * Makes them in a folder of the cluster's.
   *
   * @param owner who runs the server; the files become this user's
   */
  static Certificates create(Path folder, Object owner)
      throws IOException, InterruptedException, GeneralSecurityException {
    Files.createDirectories(folder);
    Certificates made = new Certificates(folder);
    for (String authority : List.of("ca", "other-ca")) {
      made.keytool(authority, "-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1")
          .with("-dname", "CN=" + authority, "-ext", "bc:c", "-validity", "30")
          .run();
      made.keytool(authority, "-exportcert", "-rfc", "-file", made.path(authority + ".pem")).run();
    }
    made.keytool("server", "-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1")
        .with("-dname", "CN=server", "-validity", "30")
        .run();
    made.keytool("server", "-certreq", "-file", made.path("server.csr")).run();
    made.keytool("ca", "-gencert", "-rfc", "-infile", made.path("server.csr"))
        .with("-outfile", made.path("server.pem"), "-ext", "san=ip:127.0.0.1", "-validity", "30")
        .run();
    made.writeKey();
    for (String file : List.of("server.pem", "server.key")) {
      Files.setOwner(folder.resolve(file), (java.nio.file.attribute.UserPrincipal) owner);
    }
    Files.setOwner(folder, (java.nio.file.attribute.UserPrincipal) owner);
    return made;
  }

  String path(String file) {
    return folder.resolve(file).toString();
  }

  private void writeKey() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(folder.resolve("server.p12"))) {
      store.load(in, PASSWORD.toCharArray());
    }
    Key key = store.getKey("server", PASSWORD.toCharArray());
    Base64.Encoder lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));
    Path file = folder.resolve("server.key");
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(
        file,
        "-----BEGIN PRIVATE KEY-----\n"
            + lines.encodeToString(key.getEncoded())
            + "\n-----END PRIVATE KEY-----\n");
  }

  private Keytool keytool(String alias, String... arguments) {
    return new Keytool()
        .with(Path.of(System.getProperty("java.home"), "bin", "keytool").toString())
        .with(arguments)
        .with("-alias", alias, "-keystore", path(alias + ".p12"), "-storetype", "PKCS12")
        .with("-storepass", PASSWORD, "-keypass", PASSWORD);
  }

  private static final class Keytool {
    private final List<String> command = new ArrayList<>();

    Keytool with(String... more) {
      command.addAll(List.of(more));
      return this;
    }

    void run() throws IOException, InterruptedException {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException("keytool failed: " + output);
      }
    }
  }
}
