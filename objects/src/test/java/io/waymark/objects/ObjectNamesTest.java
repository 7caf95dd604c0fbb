package io.waymark.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.core.OptionException;
import io.waymark.testing.SeededRandom;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectNamesTest {
  private static final String ODD = "abz09-_./\\: AZ%~é\u00df\u4e2d\ud83d\ude00\u0000\n\ud800";

  @ParameterizedTest
  @CsvSource({
    "shard-3, shard-3.db",
    "Acme, _41cme.db",
    "a_b, a_5fb.db",
    "../x, _2e_2e_2fx.db",
    "é, _c3_a9.db"
  })
  void aFileIsNamedSoThatPeopleCanReadIt(String name, String file) {
    assertThat(ObjectNames.file(name)).isEqualTo(file);
    assertThat(ObjectNames.ofFile(file)).contains(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a", "a.db-wal", "a.db.lock", "A.db", "a_6.db", "a_6g.db", "a_61.db", ".db"})
  void otherFilesAreNoNames(String file) {
    assertThat(ObjectNames.ofFile(file)).isEmpty();
  }

  /** Whatever the name, its file is a plain one, belongs to it alone, and tells it. */
  @Test
  void everyNameHasAFileOfItsOwnOrIsRefused() {
    SeededRandom random = SeededRandom.create();
    int[] letters = ODD.codePoints().toArray();
    Map<String, String> names = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int left = random.nextInt(random.nextInt(20) == 0 ? 130 : 5); left >= 0; left--) {
        text.appendCodePoint(letters[random.nextInt(letters.length)]);
      }
      check(text.toString(), names, random);
    }
    assertThat(names).hasSizeGreaterThan(5_000);
  }

  private static void check(String name, Map<String, String> names, SeededRandom random) {
    String file;
    try {
      file = ObjectNames.file(ObjectNames.check(name));
    } catch (OptionException refused) {
      return;
    }
    assertThat(file).as("%s", random).matches("[a-z0-9_-]{1,240}\\.db");
    assertThat(ObjectNames.ofFile(file)).as("%s", random).contains(name);
    String other = names.put(file.toLowerCase(Locale.ROOT), name);
    assertThat(other == null || other.equals(name)).as("%s: %s", file, random).isTrue();
  }

  /** Whatever the file, it tells no name or the one whose file it is. */
  @Test
  void everyFileTellsNoNameOrItsOwn() {
    SeededRandom random = SeededRandom.create();
    String letters = "ab6_1fF-.c3a9\u00e9";
    int told = 0;
    for (int i = 0; i < 20_000; i++) {
      StringBuilder file = new StringBuilder();
      for (int left = random.nextInt(8); left > 0; left--) {
        file.append(letters.charAt(random.nextInt(letters.length())));
      }
      file.append(".db");
      if (ObjectNames.ofFile(file.toString()).isPresent()) {
        String name = ObjectNames.ofFile(file.toString()).get();
        assertThat(ObjectNames.file(ObjectNames.check(name)))
            .as("%s", random)
            .isEqualTo(file.toString());
        told++;
      }
    }
    assertThat(told).as("%s", random).isPositive();
  }
}
