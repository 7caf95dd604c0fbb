package io.waymark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keeps what the specification says of options true. */
class CoordinatorSpecificationTest {
  private static final Path PAGE =
      Path.of(System.getProperty("basedir", "."))
          .resolve("../docs/spec/coordinator.md")
          .normalize();

  private static List<List<String>> rows() throws IOException {
    return Files.readAllLines(PAGE).stream()
        .filter(line -> line.startsWith("| "))
        .map(line -> Arrays.stream(line.split("\\|", -1)).map(String::strip).toList())
        .map(cells -> cells.subList(1, cells.size() - 1))
        .toList();
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
