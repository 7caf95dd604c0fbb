package io.waymark.publish.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.waymark.topology.SnapshotStoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Where groups are in etcd: a key for each, under one prefix. */
record EtcdKeys(String prefix) {
  static final String DEFAULT_PREFIX = "/waymark/groups/";

  /** How long one request may take; jetcd itself goes on trying. */
  static final long TIMEOUT_MILLIS = 5_000;

  /**
   * @throws IllegalArgumentException if the prefix is empty or longer than 200 characters
   */
  EtcdKeys {
    if (prefix.isEmpty() || prefix.length() > 200) {
      throw new IllegalArgumentException(
          "the prefix cannot be used. Accepted: 1 to 200 characters, such as /waymark/groups/");
    }
  }

  ByteSequence key(String group) {
    return bytes(prefix + group);
  }

  /** What all keys begin with. */
  ByteSequence all() {
    return bytes(prefix);
  }

  String group(ByteSequence key) {
    return key.toString(UTF_8).substring(prefix.length());
  }

  static ByteSequence bytes(String text) {
    return ByteSequence.from(text, UTF_8);
  }

  /** Ends in bounded time, whatever the client does. */
  static <T> CompletableFuture<T> bounded(CompletableFuture<T> answer) {
    return answer.copy().orTimeout(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** The failure of a store that is closed. */
  static SnapshotStoreException closed() {
    return new SnapshotStoreException("it is closed", null);
  }
}
