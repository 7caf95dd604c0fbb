package io.waymark.examples.email;

import io.waymark.durable.StoredMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/**
 * A folder with a file for each message, written once: a write that is repeated changes nothing.
 * Stands for whatever bucket or table an application has.
 */
final class MessageFolder {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String END = ".json";

  private final Path folder;

  MessageFolder(Path folder) {
    this.folder = folder;
  }

  /**
   * A message in a file.
   *
   * @param key of the message for its target, the same in every attempt
   * @param id as its sender called it
   * @param target for which it was
   * @param email the body
   * @param why it is here; empty in the archive
   */
  record Kept(String key, String id, String target, Email email, String why) {}

  /** Writes a message, unless it is there already. */
  void put(StoredMessage<Email> message) throws IOException {
    String why =
        message
            .failure()
            .map(failure -> failure.error().orElse(failure.reason().name()))
            .orElse("");
    Kept kept = new Kept(message.id(), message.messageId(), message.target(), message.body(), why);
    Path whole = Files.createTempFile(folder, "new-", ".tmp");
    try {
      Files.writeString(whole, JSON.writeValueAsString(kept));
      Files.createLink(file(kept.key()), whole); // appears whole, and only if it is not there
    } catch (FileAlreadyExistsException e) {
      // An attempt before this one wrote it.
    } finally {
      Files.delete(whole);
    }
  }

  /** All messages. */
  List<Kept> all() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(END))
          .sorted()
          .map(MessageFolder::read)
          .toList();
    }
  }

  private static Kept read(Path file) {
    try {
      return JSON.readValue(Files.readString(file), Kept.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Forgets a message. */
  void remove(Kept kept) throws IOException {
    Files.deleteIfExists(file(kept.key()));
  }

  private Path file(String key) {
    return folder.resolve(URLEncoder.encode(key, StandardCharsets.UTF_8) + END);
  }
}
