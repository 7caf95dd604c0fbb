package io.waymark.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waymark.core.OptionException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteObjectsTest extends ObjectsContract {
  @Override
  Stores stores() {
    return new FolderStores();
  }

  private static NamedObjects<ObjectContext> in(Path folder) {
    return NamedObjects.<ObjectContext>sqlite(folder, context -> context).build();
  }

  @Test
  void noNameLeadsOutOfTheFolder(@TempDir Path above) throws IOException {
    Path folder = Files.createDirectory(above.resolve("objects"));
    List<String> names = List.of("..", "../out", "/etc/passwd", "a/b", "a\\b", "con", ".hidden");
    try (NamedObjects<ObjectContext> objects = in(folder)) {
      names.forEach(name -> objects.call(name, context -> true));

      assertThat(objects.names()).containsExactlyInAnyOrderElementsOf(names);
    }
    try (Stream<Path> files = Files.walk(above)) {
      assertThat(files.filter(Files::isRegularFile))
          .allSatisfy(file -> assertThat(file.getParent()).isEqualTo(folder));
    }
  }

  @Test
  void aNameThatIsTooLongForAFileIsRefused(@TempDir Path folder) {
    try (NamedObjects<ObjectContext> objects = in(folder)) {
      assertThat(objects.<String, RuntimeException>call("x".repeat(128), ObjectContext::name))
          .hasSize(128);
      assertThatThrownBy(() -> objects.call("X".repeat(128), ObjectContext::name))
          .isInstanceOf(OptionException.class)
          .hasMessageContaining("it is too long for a file");
      assertThat(objects.open()).hasSize(1);
    }
  }

  @Test
  void aFileThatWasMadeForAnotherNameIsRefused(@TempDir Path folder) throws IOException {
    try (NamedObjects<ObjectContext> objects = in(folder)) {
      objects.call("acme", context -> true);
    }
    Files.move(folder.resolve("acme.db"), folder.resolve("other.db"));

    try (NamedObjects<ObjectContext> objects = in(folder)) {
      assertThatThrownBy(() -> objects.call("other", context -> true))
          .isInstanceOf(ObjectException.class)
          .hasMessageStartingWith("WM2503: the file of other, ")
          .hasMessageEndingWith(", was made for acme");
      Files.move(folder.resolve("other.db"), folder.resolve("acme.db"));
      assertThat(objects.<Boolean, RuntimeException>call("acme", context -> true)).isTrue();
    }
  }

  @Test
  void whatElseIsInTheFolderIsNoName(@TempDir Path folder) throws IOException {
    for (String each :
        List.of(
            "readme.txt", "Upper.db", "a_2.db", "a_zz.db", ".db", "_20.db", "a_61.db", "_ff.db")) {
      Files.createFile(folder.resolve(each));
    }
    try (NamedObjects<ObjectContext> objects = in(folder)) {
      objects.call("acme", context -> true);

      assertThat(objects.names()).containsExactly("acme");
    }
  }

  @Test
  void aFolderThatIsNotThereIsRefused(@TempDir Path folder) {
    assertThatThrownBy(() -> in(folder.resolve("missing")))
        .isInstanceOf(OptionException.class)
        .hasMessageContaining("create it first");
  }

  @Test
  void whatIsForPostgresOnlyIsRefused(@TempDir Path folder) {
    NamedObjectsBuilder<String> builder = NamedObjects.sqlite(folder, ObjectContext::name);

    assertThatThrownBy(() -> builder.lease(Duration.ofSeconds(1)))
        .isInstanceOf(OptionException.class)
        .hasMessage("WM1120: lease cannot be used: it is for objects on PostgreSQL");
    assertThatThrownBy(() -> builder.inSchema("app")).isInstanceOf(OptionException.class);
  }
}
