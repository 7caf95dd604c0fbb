package io.waymark.cli.stores;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.waymark.core.Option;
import io.waymark.core.OptionException;
import io.waymark.core.SchemaMode;
import io.waymark.publish.etcd.EtcdPublisher;
import io.waymark.publish.etcd.EtcdSnapshots;
import io.waymark.publish.postgres.PostgresPublisher;
import io.waymark.publish.postgres.PostgresSnapshots;
import io.waymark.publish.redis.RedisPublisher;
import io.waymark.publish.redis.RedisSnapshots;
import io.waymark.topology.DirectorySnapshots;
import io.waymark.topology.SnapshotPublisher;
import io.waymark.topology.SnapshotReader;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A store of published groups, by the text that says where it is: {@code jdbc:postgresql://…},
 * {@code redis://…}, {@code rediss://…}, {@code etcd://host:port,…}, or a directory.
 */
public final class PublishedStore implements AutoCloseable {
  private static final String POSTGRES = "jdbc:postgresql:";
  private static final String ETCD = "etcd://";

  private final Supplier<SnapshotReader> reader;
  private final Supplier<SnapshotPublisher> publisher;
  private final Runnable end;

  private PublishedStore(
      Supplier<SnapshotReader> reader, Supplier<SnapshotPublisher> publisher, Runnable end) {
    this.reader = reader;
    this.publisher = publisher;
    this.end = end;
  }

  /**
   * A store.
   *
   * @param option whose value the text is
   * @param where where it is
   * @param login to it, where the text holds none
   * @param name of the table, or prefix of the keys; null for the usual one
   * @throws OptionException if it cannot be one, or there is no such directory
   */
  public static PublishedStore of(Option option, String where, Login login, @Nullable String name) {
    try {
      if (where.startsWith(POSTGRES)) {
        return postgres(where, login, name);
      }
      if (where.startsWith("redis://") || where.startsWith("rediss://")) {
        return redis(where, login, name);
      }
      if (where.startsWith(ETCD)) {
        return etcd(where, login, name);
      }
    } catch (IllegalArgumentException e) {
      // The message may hold the text, and that a password.
      throw OptionException.refused(option, where, "it is not understood");
    }
    return directory(option, where);
  }

  private static PublishedStore postgres(String url, Login login, @Nullable String name) {
    PGSimpleDataSource source = Connections.to(url, login);
    PostgresSnapshots.Builder reader =
        PostgresSnapshots.builder(source).listen(url, Connections.properties(login));
    // A tool makes no tables.
    PostgresPublisher.Builder publisher = PostgresPublisher.builder(source).schema(SchemaMode.NONE);
    if (name != null) {
      reader.table(name);
      publisher.table(name);
    }
    return new PublishedStore(reader::build, publisher::build, () -> {});
  }

  private static PublishedStore redis(String where, Login login, @Nullable String name) {
    RedisURI uri = RedisURI.create(where);
    if (login.password() != null) {
      RedisURI.Builder builder = RedisURI.builder(uri);
      uri =
          login.user() == null
              ? builder.withPassword(login.password().toCharArray()).build()
              : builder.withAuthentication(login.user(), login.password()).build();
    }
    RedisClient client = RedisClient.create();
    RedisSnapshots.Builder reader = RedisSnapshots.builder(client, uri);
    RedisPublisher.Builder publisher = RedisPublisher.builder(client, uri);
    if (name != null) {
      reader.prefix(name);
      publisher.prefix(name);
    }
    return new PublishedStore(
        reader::build,
        publisher::build,
        () -> client.shutdown(Duration.ZERO, Duration.ofSeconds(2)));
  }

  private static PublishedStore etcd(String where, Login login, @Nullable String name) {
    ClientBuilder building =
        Client.builder()
            .endpoints(
                Arrays.stream(where.substring(ETCD.length()).split(",", -1))
                    .map(each -> "http://" + each)
                    .toArray(String[]::new))
            .connectTimeout(Duration.ofSeconds(5));
    if (login.user() != null && login.password() != null) {
      building
          .user(ByteSequence.from(login.user(), UTF_8))
          .password(ByteSequence.from(login.password(), UTF_8));
    }
    Client client = building.build();
    EtcdSnapshots.Builder reader = EtcdSnapshots.builder(client);
    EtcdPublisher.Builder publisher = EtcdPublisher.builder(client);
    if (name != null) {
      reader.prefix(name);
      publisher.prefix(name);
    }
    return new PublishedStore(reader::build, publisher::build, client::close);
  }

  private static PublishedStore directory(Option option, String where) {
    try {
      Path directory = Path.of(where);
      if (!where.isEmpty() && Files.isDirectory(directory)) {
        DirectorySnapshots store = DirectorySnapshots.in(directory);
        return new PublishedStore(store::reader, store::publisher, () -> {});
      }
    } catch (InvalidPathException e) {
      // Then there is no such directory either.
    }
    throw OptionException.refused(
        option,
        where,
        where.contains(":") ? "it is no store that is known" : "there is no such directory");
  }

  /** A new reader; closed by the caller, before this. */
  public SnapshotReader reader() {
    return reader.get();
  }

  /** A new publisher; closed by the caller, before this. */
  public SnapshotPublisher publisher() {
    return publisher.get();
  }

  @Override
  public void close() {
    end.run();
  }
}
