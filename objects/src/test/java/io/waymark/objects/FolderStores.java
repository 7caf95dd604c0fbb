package io.waymark.objects;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder of its own. */
final class FolderStores implements Stores {
  final Path folder;

  FolderStores() {
    try {
      folder = Files.createTempDirectory("waymark-objects-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public <T> NamedObjectsBuilder<T> objects(ObjectFactory<T> factory) {
    return NamedObjects.sqlite(folder, factory);
  }

  @Override
  public void close() {
    try (Stream<Path> all = Files.walk(folder)) {
      List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
      for (Path each : deepestFirst) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
