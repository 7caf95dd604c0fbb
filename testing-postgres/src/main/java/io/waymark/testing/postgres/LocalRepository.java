package io.waymark.testing.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The user's local Maven repository, where other versions of the binaries may already be. */
final class LocalRepository {

  private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+\\.\\d+");
  static final String GROUP = "io.zonky.test.postgres";

  private LocalRepository() {}

  /** The jar with the newest binaries of a major version. */
  static Optional<Path> newest(Platform platform, int major) {
    for (Path root : roots()) {
      Path folder = root.resolve(GROUP.replace('.', '/')).resolve(platform.artifact());
      Optional<Path> jar = newestIn(folder, platform, major);
      if (jar.isPresent()) {
        return jar;
      }
    }
    return Optional.empty();
  }

  private static Optional<Path> newestIn(Path folder, Platform platform, int major) {
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    try (Stream<Path> versions = Files.list(folder)) {
      return versions
          .map(path -> path.getFileName().toString())
          .filter(name -> VERSION.matcher(name).matches())
          .map(ArtifactVersion::parse)
          .filter(version -> version.major() == major)
          .sorted(Comparator.reverseOrder())
          .map(
              version ->
                  folder
                      .resolve(version.toString())
                      .resolve(platform.artifact() + "-" + version + ".jar"))
          .filter(Files::isRegularFile)
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Where the repository may be, the most explicit place first. */
  static List<Path> roots() {
    List<Path> roots = new ArrayList<>();
    // Surefire hands both of these to the JVM that runs the tests.
    for (String property : List.of("maven.repo.local", "localRepository")) {
      String value = System.getProperty(property, "");
      if (!value.isBlank()) {
        roots.add(Path.of(value));
      }
    }
    Path home = Path.of(System.getProperty("user.home", "")).resolve(".m2");
    configured(home.resolve("settings.xml")).ifPresent(roots::add);
    roots.add(home.resolve("repository"));
    return roots;
  }

  private static Optional<Path> configured(Path settings) {
    if (!Files.isReadable(settings)) {
      return Optional.empty();
    }
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      NodeList nodes =
          factory
              .newDocumentBuilder()
              .parse(settings.toFile())
              .getElementsByTagName("localRepository");
      if (nodes.getLength() == 0) {
        return Optional.empty();
      }
      String text = nodes.item(0).getTextContent().strip();
      return Optional.of(
          Path.of(text.replace("${user.home}", System.getProperty("user.home", ""))));
    } catch (IOException | SAXException | ParserConfigurationException e) {
      // Settings that Maven itself could not read tell nothing.
      return Optional.empty();
    }
  }
}
