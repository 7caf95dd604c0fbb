package io.waymark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Keeps what the pages say of the tests true. */
@NullMarked
class SpecificationDocsTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).resolve("..").normalize();
  private static final String REGRESSIONS = "docs/regressions.md";

  /**
   * A test as the pages cite it: a class, and mostly a method of it. A contract is a class of tests
   * that runs on several stores.
   */
  private static final Pattern CITED =
      Pattern.compile(
          "`([A-Z]\\w*(?:Test|Contract))(?:\\.(\\w+))?`", Pattern.UNICODE_CHARACTER_CLASS);

  private static final Pattern PROMISE = Pattern.compile("W[A-Z]-\\d+");

  private static final Pattern TEST_METHOD =
      Pattern.compile(
          "@(?:Test|ParameterizedTest|TestFactory|RepeatedTest|FuzzTest)\\b[^;{]*?\\b(\\w+)\\s*\\(",
          Pattern.DOTALL);

  /** Rows of the tables of a page, as trimmed cells. */
  private static List<List<String>> rows(String page) throws IOException {
    return Files.readString(ROOT.resolve(page))
        .lines()
        .filter(line -> line.startsWith("| "))
        .map(line -> Arrays.stream(line.split("(?<!\\\\)\\|", -1)).map(String::strip).toList())
        .map(cells -> cells.subList(1, cells.size() - 1))
        .toList();
  }

  /** The specifications, one page for each product. */
  static List<String> specifications() throws IOException {
    return pages("docs/spec");
  }

  static List<String> citing() throws IOException {
    return Stream.concat(pages("docs").stream(), specifications().stream()).toList();
  }

  private static List<String> pages(String folder) throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
      return files
          .map(file -> folder + "/" + file.getFileName())
          .filter(name -> name.endsWith(".md"))
          .sorted()
          .toList();
    }
  }

  private static List<List<String>> promises(String page) throws IOException {
    return rows(page).stream().filter(row -> PROMISE.matcher(row.get(0)).matches()).toList();
  }

  private static List<List<String>> promises() throws IOException {
    List<List<String>> all = new ArrayList<>();
    for (String page : specifications()) {
      all.addAll(promises(page));
    }
    return all;
  }

  /** Test classes of this repository by name, each with its test methods. */
  private static Map<String, Set<String>> tests() throws IOException {
    Map<String, Set<String>> tests = new TreeMap<>();
    for (Path sources : testSources()) {
      try (Stream<Path> files = Files.walk(sources)) {
        for (Path file : files.filter(SpecificationDocsTest::holdsTests).toList()) {
          Set<String> methods = new LinkedHashSet<>();
          // Arguments of annotations may hold anything; what follows the annotations may not.
          TEST_METHOD
              .matcher(withoutStrings(Files.readString(file)))
              .results()
              .map(SpecificationDocsTest::method)
              .forEach(methods::add);
          tests
              .computeIfAbsent(
                  String.valueOf(file.getFileName()).replace(".java", ""),
                  name -> new LinkedHashSet<>())
              .addAll(methods);
        }
      }
    }
    return tests;
  }

  private static List<Path> testSources() throws IOException {
    try (Stream<Path> modules = Files.list(ROOT)) {
      return modules
          .map(module -> module.resolve("src/test/java"))
          .filter(Files::isDirectory)
          .toList();
    }
  }

  private static boolean holdsTests(Path file) {
    return file.toString().endsWith("Test.java") || file.toString().endsWith("Contract.java");
  }

  private static String withoutStrings(String source) {
    return source
        .replaceAll("(?s)\"\"\".*?\"\"\"", "\"\"")
        .replaceAll("\"(?:[^\"\\\\\n]|\\\\.)*\"", "\"\"")
        .replaceAll("//[^\n]*", "")
        .replaceAll("(@\\w+)\\s*\\((?:[^()]|\\([^()]*\\))*\\)", "$1");
  }

  private static String method(MatchResult found) {
    return found.group(1);
  }

  @ParameterizedTest
  @MethodSource("citing")
  void everyTestThatAPageCitesExists(String page) throws IOException {
    Map<String, Set<String>> tests = tests();
    List<String> missing = new ArrayList<>();
    Matcher cited = CITED.matcher(Files.readString(ROOT.resolve(page)));
    while (cited.find()) {
      Set<String> methods = tests.get(cited.group(1));
      if (methods == null || (cited.group(2) != null && !methods.contains(cited.group(2)))) {
        missing.add(cited.group());
      }
    }
    assertThat(missing).as("tests that %s cites and that do not exist", page).isEmpty();
  }

  @Test
  void aNumberIsGivenOnce() throws IOException {
    assertThat(promises()).extracting(row -> row.get(0)).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("specifications")
  void everyPromiseThatHoldsNamesItsTest(String page) throws IOException {
    assertThat(promises(page))
        .filteredOn(row -> row.get(3).startsWith("holds"))
        .filteredOn(row -> !isHeld(row.get(4)))
        .extracting(row -> row.get(0))
        .as("promises that hold and name no test")
        .isEmpty();
  }

  private static boolean isHeld(String test) {
    boolean named = CITED.matcher(test).find() || test.startsWith("held by the type");
    return named && !test.contains("untested");
  }

  @ParameterizedTest
  @MethodSource("specifications")
  void everyPromiseHoldsOrIsPlanned(String page) throws IOException {
    assertThat(promises(page))
        .isNotEmpty()
        .allSatisfy(
            row -> {
              assertThat(row).as("%s", row).hasSize(5);
              assertThat(Objects.requireNonNull(row.get(3))).matches("(holds|planned).*");
            });
  }

  @Test
  void everyFaultAndEveryBehaviourStandsInTheListsOnce() throws IOException {
    List<String> expected = new ArrayList<>();
    Map<String, Integer> lists = new LinkedHashMap<>();
    lists.put("F", 30);
    lists.put("O", 22);
    lists.putAll(Map.of("C", 10, "P", 6, "H", 7, "R", 14, "W", 20, "S", 10, "T", 4));
    lists.forEach(
        (list, length) ->
            IntStream.rangeClosed(1, length)
                .forEach(
                    number -> expected.add(String.format(Locale.ROOT, "%s%02d", list, number))));

    assertThat(rows(REGRESSIONS))
        .extracting(row -> row.get(0))
        .filteredOn(number -> number.matches("[A-Z]\\d\\d"))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void everyFaultAndEveryBehaviourNamesItsTestOrSaysWhyThereIsNone() throws IOException {
    Set<String> known = promises().stream().map(row -> row.get(0)).collect(Collectors.toSet());
    assertThat(rows(REGRESSIONS))
        .filteredOn(row -> row.get(0).matches("[A-Z]\\d\\d"))
        .allSatisfy(
            row -> {
              String test = row.get(row.size() - 1);
              assertThat(test).as("%s", row).matches("`[A-Z]\\w+Test.*|(Not|There|Replaced).*");
              PROMISE
                  .matcher(row.get(row.size() - 2))
                  .results()
                  .forEach(promise -> assertThat(known).contains(promise.group()));
            });
  }
}
