package io.waymark.coordinator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waymark.core.Backoff;
import io.waymark.durable.DurableStore;
import io.waymark.durable.DurableStoreException;
import io.waymark.topology.DirectorySnapshots;
import io.waymark.topology.Member;
import io.waymark.topology.StateUpdate;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * A process with a coordinator, made to be killed. It publishes into the folder {@code snapshots},
 * and a delivery is a line in the file {@code deliveries}. Until it is killed it counts the values
 * of groups up, and says what is acknowledged.
 *
 * <p>Arguments: a folder, and where the database is: a file, or a URL.
 */
final class CoordinatorProcess {
  static final int GROUPS = 3;
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(10), Duration.ofMillis(100));

  private CoordinatorProcess() {}

  /** Says {@code refused …}, or {@code open} and then {@code done GROUP VALUE} again and again. */
  public static void main(String[] arguments) {
    Path folder = Path.of(arguments[0]);
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    StateChannel<Integer> count = count(folder);
    try (DurableStore store = open(arguments[1]);
        TopologyCoordinator topology = topology(store, folder, count)) {
      out.println("open");
      SplittableRandom random = new SplittableRandom();
      while (!Thread.currentThread().isInterrupted()) {
        String group = "group-" + random.nextInt(GROUPS);
        Member member = Member.active(group + "-" + random.nextInt(4));
        int[] value = new int[1];
        topology.update(
            group,
            now -> {
              value[0] = now.state(count).orElse(0) + 1;
              return now.put(member.with("n", String.valueOf(value[0]))).set(count, value[0]);
            });
        out.println("done " + group + " " + value[0]);
      }
    } catch (DurableStoreException e) {
      out.println("refused " + e.getMessage());
    }
  }

  private static DurableStore open(String database) {
    if (!database.startsWith("jdbc:")) {
      return DurableStore.sqlite(Path.of(database)).open();
    }
    return DurableStore.postgres(pool(database)).open();
  }

  /** The server's superuser needs no password. */
  static HikariDataSource pool(String url) {
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl(url);
    pool.setUsername("postgres");
    pool.setMinimumIdle(0);
    return new HikariDataSource(pool);
  }

  static TopologyCoordinator topology(
      DurableStore store, Path folder, StateChannel<Integer> count) {
    return TopologyCoordinator.builder(store)
        .publisher(DirectorySnapshots.in(folder.resolve("snapshots")).publisher())
        .attemptTimeout(Duration.ofSeconds(2))
        .publishWait(Duration.ofMillis(5)) // some wait long enough, some do not
        .backoff(BACKOFF)
        .state(count)
        .build();
  }

  static StateChannel<Integer> count(Path folder) {
    Path file = folder.resolve("deliveries");
    return StateChannel.of("count", Integer.class)
        .attemptTimeout(Duration.ofSeconds(2))
        .backoff(BACKOFF)
        .deliver((member, update) -> append(file, member, update));
  }

  /** One write, so that lines of several processes do not mix. */
  private static void append(Path file, Member member, StateUpdate<Integer> update)
      throws IOException {
    String line = member.id() + " " + update.value() + " " + update.stamp() + "\n";
    Files.write(file, line.getBytes(UTF_8), CREATE, APPEND);
  }
}
