package io.waymark.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waymark.core.OptionException;
import io.waymark.core.SchemaMode;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A store on PostgreSQL. */
class PostgresStoreTest extends StoreContract {
  private static final Pattern SQL_BLOCK = Pattern.compile("(?s)```sql\n(.*?)```");

  @Override
  TestDatabase newDatabase() {
    return new PostgresDatabase();
  }

  private PostgresDatabase postgres() {
    return (PostgresDatabase) database;
  }

  private DataSource as(String user) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(postgres().url());
    source.setUser(user);
    return source;
  }

  private void execute(String... statements) throws SQLException {
    try (Connection connection = database.connect()) {
      for (String sql : statements) {
        connection.createStatement().execute(sql);
      }
      connection.commit();
    }
  }

  /** The statements of the page, for a role and a schema of the test's. */
  private List<String> grants(String role) throws IOException {
    String page = Files.readString(StoreDocsTest.PAGE);
    return SQL_BLOCK
        .matcher(page)
        .results()
        .flatMap(block -> Stream.of(block.group(1).split(";")))
        .map(String::strip)
        .filter(statement -> !statement.isEmpty())
        .map(
            statement ->
                statement
                    .replaceFirst("TO app$", "TO " + role)
                    .replace("waymark.", postgres().schema() + ".")
                    .replace("SCHEMA waymark", "SCHEMA " + postgres().schema()))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  @ParameterizedTest
  @EnumSource(SchemaMode.class)
  void theRightsThatTheDocumentationNamesAreEnough(SchemaMode mode) throws Exception {
    String role = "clerk_" + postgres().schema();
    execute("CREATE ROLE " + role + " LOGIN");
    List<String> grants = grants(role);
    assertThat(grants).hasSize(5);
    assertThat(grants.get(3)).contains("waymark_schema");
    store.migrate(FanoutSql.MIGRATIONS);
    if (mode == SchemaMode.NONE) {
      grants.remove(3);
    }
    execute(grants.toArray(String[]::new));
    Channel<String> letters = Channel.of("letters", Codec.text());
    Inbox inbox = new Inbox();
    try (DurableStore clerks =
            DurableStore.postgres(as(role))
                .schema(mode)
                .listen(postgres().url() + "&user=" + role, new Properties())
                .open();
        Outbox outbox = Outbox.builder(clerks).deliver(letters, inbox).build()) {
      StagedVersions staged =
          clerks.inTransaction(tx -> outbox.stageTracked(tx, letters.item("ada", "1")));
      assertThat(await(outbox, letters, staged).isDelivered()).isTrue();
      clerks.inTransaction(tx -> outbox.stageTracked(tx, letters.cancellation("ada")));
      assertThat(outbox.backlog()).isEmpty();
      OutboxTable table = new OutboxTable(clerks, new OutboxSql(clerks), "clerk");
      VersionHorizon horizon = new VersionHorizon(table, Dialect.POSTGRES);
      horizon.look();
      assertThat(table.sweep(Duration.ZERO.minusSeconds(1), horizon.look(), 10)).isEqualTo(1);
      assertThat(table.repair(Duration.ofSeconds(10))).isZero();
      fansOut(clerks);
    }
  }

  private static void fansOut(DurableStore clerks) {
    try (Fanout<String> fanout =
        Fanout.builder(clerks, "mail", Codec.text())
            .deliver("consumer", batch -> batch.forEach(FanoutDelivery::ack))
            .build()) {
      assertThat(fanout.accept(FanoutMessage.of("a")).isAccepted()).isTrue();
      Awaitility.await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> fanout.pendingDeliveries() == 0);
    }
  }

  private static Settlement await(Outbox outbox, Channel<?> channel, StagedVersions staged) {
    StagedVersions.Entry entry = staged.entries().get(0);
    try {
      return outbox.awaitSettled(channel, entry.key(), entry.version(), Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void tablesMayLieInASchemaOfTheirOwn() throws SQLException {
    String schema = "own_" + postgres().schema();
    execute("CREATE SCHEMA " + schema);
    Channel<String> letters = Channel.of("letters", Codec.text());
    Inbox inbox = new Inbox();
    try (DurableStore own = database.store().inSchema(schema).open();
        Outbox outbox = Outbox.builder(own).deliver(letters, inbox).build()) {
      StagedVersions staged =
          own.inTransaction(tx -> outbox.stageTracked(tx, letters.item("ada", "1")));

      assertThat(await(outbox, letters, staged).isDelivered()).isTrue();
      assertThat(count(schema + ".waymark_outbox")).isEqualTo(1);
      assertThat(count(postgres().schema() + ".waymark_outbox")).isZero();
    } finally {
      execute("DROP SCHEMA " + schema + " CASCADE");
    }
  }

  @Test
  void aNameThatIsNoPlainSchemaIsRefused() {
    DurableStoreBuilder builder = database.store();

    assertThatThrownBy(() -> builder.inSchema("x\"; DROP TABLE things; --"))
        .isInstanceOf(OptionException.class);
  }

  @Test
  void processesThatStartTogetherMakeTheTablesOnce() throws Exception {
    execute("DROP TABLE waymark_outbox, waymark_schema", "DROP SEQUENCE waymark_outbox_version");
    ExecutorService threads = Executors.newFixedThreadPool(6);
    try {
      List<Future<?>> opening = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        opening.add(threads.submit(() -> database.store().open().close()));
      }
      for (Future<?> each : opening) {
        each.get();
      }
    } finally {
      threads.shutdown();
    }
    assertThat(count("waymark_schema")).isEqualTo(1);
  }

  @Test
  void aPoolWithoutAutocommitServesAsWell() {
    HikariConfig manual = new HikariConfig();
    manual.setDataSource(as("postgres"));
    manual.setAutoCommit(false);
    Channel<String> letters = Channel.of("letters", Codec.text());
    try (HikariDataSource source = new HikariDataSource(manual);
        DurableStore other = DurableStore.postgres(source).open();
        Outbox outbox = Outbox.builder(other).deliver(letters, new Inbox()).build()) {
      StagedVersions staged =
          other.inTransaction(tx -> outbox.stageTracked(tx, letters.item("ada", "1")));

      assertThat(await(outbox, letters, staged).isDelivered()).isTrue();
    }
  }

  @Test
  void aDeferredConstraintThatFailsAtTheCommitIsAFailureNotADoubt() throws SQLException {
    execute(
        "CREATE TABLE parents (id int PRIMARY KEY)",
        "CREATE TABLE children (parent int REFERENCES parents DEFERRABLE INITIALLY DEFERRED)");

    assertThatThrownBy(
            () ->
                store.inTransaction(
                    tx -> tx.unwrap(Handle.class).execute("INSERT INTO children VALUES (1)")))
        .isInstanceOfSatisfying(
            DurableStoreException.class, e -> assertThat(e.error()).isEqualTo(StoreError.FAILED));
  }

  @Test
  void aCommitWhoseConnectionBrokeIsADoubt() {
    assertThatThrownBy(
            () ->
                store.inTransaction(
                    tx -> {
                      Handle handle = tx.unwrap(Handle.class);
                      int pid =
                          handle.createQuery("SELECT pg_backend_pid()").mapTo(Integer.class).one();
                      terminate(pid);
                      return pid;
                    }))
        .isInstanceOfSatisfying(
            DurableStoreException.class,
            e -> assertThat(e.error()).isEqualTo(StoreError.OUTCOME_UNKNOWN))
        .hasMessageStartingWith("WM2004");
    assertThat(store.<Integer, RuntimeException>inTransaction(tx -> 7)).isEqualTo(7);
  }

  private void terminate(int pid) {
    try {
      execute("SELECT pg_terminate_backend(" + pid + ", 5000)");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aServerThatCannotBeReachedIsSaidWhenTheStoreOpens() {
    PGSimpleDataSource nowhere = new PGSimpleDataSource();
    nowhere.setURL("jdbc:postgresql://127.0.0.1:1/nothing");
    nowhere.setPassword("hunter2");
    DurableStoreBuilder builder = DurableStore.postgres(nowhere);

    assertThatThrownBy(builder::open)
        .isInstanceOf(DurableStoreException.class)
        .hasMessageStartingWith("WM2003")
        .message()
        .doesNotContain("hunter2");
  }
}
