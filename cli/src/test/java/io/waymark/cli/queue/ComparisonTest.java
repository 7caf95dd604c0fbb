package io.waymark.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {
  @TempDir private Path folder = Path.of("");

  private void write(String journal, String... lines) throws IOException {
    try (Journal file = Journal.open(folder, journal)) {
      file.write(Arrays.asList(lines));
    }
  }

  @Test
  void whatEveryTargetHasOrRefusedIsNotLost() throws IOException {
    write(Comparison.ACCEPTED, "PLAIN a", "POISON b");
    write(Place.CONSUMER, "a");
    write(Place.ARCHIVE, "a", "b");
    write(Comparison.DEAD, "b");

    assertThat(Comparison.of(folder)).isEqualTo(new Comparison(2, 3, 0, 0, 1, 0, 0));
  }

  @Test
  void whatATargetDoesNotHaveIsLost() throws IOException {
    write(Comparison.ACCEPTED, "PLAIN a", "PLAIN b", "POISON c");
    write(Place.CONSUMER, "a");
    write(Place.ARCHIVE, "b");
    write(Comparison.DEAD, "c");

    Comparison found = Comparison.of(folder);

    assertThat(found.lost()).isEqualTo(3); // b at the consumer, a and c at the archive
    assertThat(found.delivered()).isEqualTo(2);
  }

  @Test
  void whatCameAgainIsADuplicateAlsoInAnotherLifeOfATarget() throws IOException {
    write(Comparison.ACCEPTED, "PLAIN a");
    write(Place.CONSUMER, "a", "a");
    write(Place.CONSUMER, "a");
    write(Place.ARCHIVE, "a");

    Comparison found = Comparison.of(folder);

    assertThat(found.duplicates()).isEqualTo(2);
    assertThat(found.delivered()).isEqualTo(2);
    assertThat(found.lost()).isZero();
  }

  @Test
  void whatNobodyRefusedDoesNotBelongAmongTheDeadLetters() throws IOException {
    write(Comparison.ACCEPTED, "LATE a");
    write(Place.ARCHIVE, "a");
    write(Comparison.DEAD, "a");

    assertThat(Comparison.of(folder).wronglyDead()).isEqualTo(1);
  }

  @Test
  void whatWasDeliveredWithoutBeingWrittenDownByItsProducerIsCountedAside() throws IOException {
    write(Comparison.ACCEPTED, "PLAIN a");
    write(Place.CONSUMER, "a", "x");
    write(Place.ARCHIVE, "a", "x", "y");
    write(Comparison.DEAD, "y");

    assertThat(Comparison.of(folder)).isEqualTo(new Comparison(1, 2, 0, 2, 0, 0, 0));
  }

  @Test
  void aLineThatWasBeingWrittenWhenItsProcessWasKilledDoesNotCount() throws IOException {
    write(Comparison.ACCEPTED, "PLAIN a", "PLAIN b");
    Path file;
    try (Stream<Path> files = Files.list(folder)) {
      file = files.findFirst().orElseThrow();
    }
    Files.writeString(file, "PLAIN c", StandardOpenOption.APPEND);
    List<String> lines = new ArrayList<>();

    Journal.read(folder, Comparison.ACCEPTED, lines::add);

    assertThat(lines).containsExactly("PLAIN a", "PLAIN b");
  }
}
