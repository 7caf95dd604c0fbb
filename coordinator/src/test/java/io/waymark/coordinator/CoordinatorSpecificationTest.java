package io.waymark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Keeps what the specification says of tests and options true. */
class CoordinatorSpecificationTest {
  private static final Path PAGE =
      Path.of(System.getProperty("basedir", "."))
          .resolve("../docs/spec/coordinator.md")
          .normalize();

  private static final Pattern CITED = Pattern.compile("`([A-Z]\\w*(?:Test|Contract))\\.(\\w+)`");

  private static List<List<String>> rows() throws IOException {
    return Files.readAllLines(PAGE).stream()
        .filter(line -> line.startsWith("| "))
        .map(line -> Arrays.stream(line.split("\\|", -1)).map(String::strip).toList())
        .map(cells -> cells.subList(1, cells.size() - 1))
        .toList();
  }

  private static List<List<String>> promises() throws IOException {
    return rows().stream().filter(row -> row.get(0).matches("WC-\\d+")).toList();
  }

  @Test
  void everyTestThatIsCitedExists() throws IOException {
    List<String> missing = new ArrayList<>();
    Matcher cited = CITED.matcher(Files.readString(PAGE));
    while (cited.find()) {
      if (!exists(cited.group(1), cited.group(2))) {
        missing.add(cited.group());
      }
    }
    assertThat(missing).isEmpty();
  }

  private static boolean exists(String type, String method) {
    try {
      Class<?> tests = Class.forName("io.waymark.coordinator." + type);
      return Arrays.stream(tests.getDeclaredMethods())
          .anyMatch(each -> each.getName().equals(method) && each.isAnnotationPresent(Test.class));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  @Test
  void everyPromiseHasANumberOfItsOwnAndATestOrAReason() throws IOException {
    assertThat(promises())
        .hasSizeGreaterThan(40)
        .extracting(row -> row.get(0))
        .doesNotHaveDuplicates();
    assertThat(promises())
        .allSatisfy(
            row -> {
              assertThat(row).hasSize(5);
              assertThat(row.get(3)).matches("(holds|planned).*");
              if (row.get(3).equals("holds")) {
                assertThat(row.get(4)).matches("`[A-Z].*|held by the type.*");
              }
            });
  }

  @Test
  void everyOptionIsInTheTable() throws IOException {
    List<String> named =
        rows().stream()
            .map(row -> row.get(0))
            .filter(cell -> cell.matches("`\\w+`"))
            .map(cell -> cell.replace("`", ""))
            .toList();
    List<String> options =
        Arrays.stream(TopologyCoordinatorBuilder.class.getMethods())
            .filter(each -> each.getReturnType() == TopologyCoordinatorBuilder.class)
            .map(Method::getName)
            .distinct()
            .toList();

    assertThat(named).containsExactlyInAnyOrderElementsOf(options);
  }

  @Test
  void defaultsAreThoseOfTheTable() throws IOException {
    TopologyCoordinatorBuilder builder;
    try (SqliteDatabase database = new SqliteDatabase();
        var store = database.store().open()) {
      builder = TopologyCoordinator.builder(store);
    }

    assertThat(builder.publishConcurrency).isEqualTo(8);
    assertThat(builder.attemptTimeout).isEqualTo(Duration.ofSeconds(30));
    assertThat(builder.publishWait).isNull();
    assertThat(builder.sweepInterval).isEqualTo(Duration.ofMinutes(5));
    assertThat(builder.confirmJoining).isFalse();
    assertThat(builder.emptyApart).isNull();
    assertThat(OverwritingPublications.LATEST_LANDING).isEqualTo(Duration.ofMinutes(5));
  }
}
