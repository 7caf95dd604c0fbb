package io.waymark.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waymark.core.SchemaMode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a store does, whatever database it is on. */
abstract class StoreContract {
  static final Migrations THINGS =
      Migrations.of("things", StoreContract.class, "0001_things.sql", "0002_more.sql");
  static final Migrations THINGS_BEFORE =
      Migrations.of("things", StoreContract.class, "0001_things.sql");

  final TestDatabase database = newDatabase();
  DurableStore store = database.store().open();

  abstract TestDatabase newDatabase();

  @AfterEach
  void close() {
    store.close();
    database.close();
  }

  int count(String table) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
      row.next();
      return row.getInt(1);
    }
  }

  // ---- transactions ----------------------------------------------------------------------------

  @Test
  void aGuardIsAskedFirstInEveryTransaction() throws SQLException {
    store.migrate(THINGS);
    store.close();
    AtomicBoolean ours = new AtomicBoolean(true);
    AtomicInteger asked = new AtomicInteger();
    store =
        database
            .store()
            .guard(
                connection -> {
                  assertThat(connection.getAutoCommit()).isFalse();
                  asked.incrementAndGet();
                  return ours.get();
                })
            .open();
    store.inTransaction(
        tx -> tx.unwrap(Handle.class).execute("INSERT INTO things VALUES (1, 'one', 0)"));
    assertThat(store.<Integer>withHandle(handle -> handle.execute("DELETE FROM things"))).isOne();
    assertThat(asked).hasValueGreaterThanOrEqualTo(2);

    ours.set(false);

    assertThatThrownBy(
            () ->
                store.inTransaction(
                    tx -> {
                      throw new AssertionError("the body must not run");
                    }))
        .isInstanceOf(DurableStoreException.class)
        .hasMessageStartingWith("WM2006: ")
        .hasMessageEndingWith(" belongs to another process now; nothing was done");
    assertThatThrownBy(
            () ->
                store.withHandle(handle -> handle.execute("INSERT INTO things VALUES (2, 'x', 0)")))
        .hasMessageStartingWith("WM2006: ");
    assertThat(count("things")).isZero();
  }

  @Test
  void aGuardThatCannotTellLetsNothingThrough() throws SQLException {
    store.migrate(THINGS);
    store.close();
    AtomicBoolean fails = new AtomicBoolean();
    store =
        database
            .store()
            .guard(
                connection -> {
                  if (fails.get()) {
                    throw new SQLException("no answer");
                  }
                  return true;
                })
            .open();

    fails.set(true);

    assertThatThrownBy(
            () ->
                store.inTransaction(
                    tx -> {
                      throw new AssertionError("the body must not run");
                    }))
        .hasMessageStartingWith("WM2003: ")
        .hasMessageContaining("no answer");
  }

  @Test
  void aTransactionCommitsWhatItDidAndReturnsWhatItsBodyReturned() throws SQLException {
    store.migrate(THINGS);

    int inserted =
        store.inTransaction(
            tx -> tx.unwrap(Handle.class).execute("INSERT INTO things VALUES (1, 'one', 0)"));

    assertThat(inserted).isEqualTo(1);
    assertThat(count("things")).isEqualTo(1);
  }

  @Test
  void whatTheBodyThrowsRollsBackAndReachesTheCaller() throws SQLException {
    store.migrate(THINGS);
    Exception mine = new Exception("mine");

    assertThatThrownBy(
            () ->
                store.inTransaction(
                    tx -> {
                      tx.unwrap(Handle.class).execute("INSERT INTO things VALUES (1, 'one', 0)");
                      throw mine;
                    }))
        .isSameAs(mine);
    assertThat(count("things")).isZero();
  }

  @Test
  void aStatementThatFailsSaysThatNothingIsInTheStore() throws SQLException {
    store.migrate(THINGS);

    assertThatThrownBy(
            () ->
                store.inTransaction(
                    tx -> {
                      tx.unwrap(Handle.class).execute("INSERT INTO things VALUES (1, 'one', 0)");
                      return tx.unwrap(Handle.class)
                          .execute("INSERT INTO things VALUES (1, 'again', 0)");
                    }))
        .isInstanceOfSatisfying(
            DurableStoreException.class, e -> assertThat(e.error()).isEqualTo(StoreError.FAILED))
        .hasMessageStartingWith("WM2003");
    assertThat(count("things")).isZero();
    assertThat(store.<Integer, RuntimeException>inTransaction(tx -> 7)).isEqualTo(7);
  }

  @Test
  void whatIsToRunAfterTheCommitRunsOutsideOfItInOrderAndMayThrow() {
    store.migrate(THINGS);
    List<String> ran = new ArrayList<>();

    store.inTransaction(
        tx -> {
          tx.afterCommit(
              () -> {
                throw new IllegalStateException("somebody's trouble");
              });
          tx.afterCommit(
              () ->
                  ran.add(
                      "sees "
                          + store.<Integer, RuntimeException>inTransaction(
                              next ->
                                  next.unwrap(Handle.class)
                                      .createQuery("SELECT count(*) FROM things")
                                      .mapTo(Integer.class)
                                      .one())));
          tx.afterCommit(() -> ran.add("last"));
          return tx.unwrap(Handle.class).execute("INSERT INTO things VALUES (1, 'one', 0)");
        });

    assertThat(ran).containsExactly("sees 1", "last");
  }

  @Test
  void nothingRunsAfterARollback() {
    List<String> ran = new ArrayList<>();

    assertThatThrownBy(
            () ->
                store.inTransaction(
                    tx -> {
                      tx.afterCommit(() -> ran.add("after"));
                      throw new IllegalStateException("no");
                    }))
        .hasMessage("no");
    assertThat(ran).isEmpty();
  }

  @Test
  void aTransactionIsOfNoUseAfterItsEnd() {
    AtomicReference<StoreTransaction> kept = new AtomicReference<>();
    store.inTransaction(
        tx -> {
          kept.set(tx);
          return tx.connection();
        });

    assertThatThrownBy(() -> kept.get().connection()).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.inTransaction(tx -> tx.unwrap(String.class)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("java.lang.String");
  }

  @Test
  void aClosedStoreSaysSo() {
    store.close();
    store.close();

    assertThatThrownBy(() -> store.inTransaction(tx -> 1))
        .isInstanceOf(DurableStoreException.class)
        .hasMessageStartingWith("WM2005");
  }

  // ---- tables ----------------------------------------------------------------------------------

  @Test
  void missingStepsAreMadeOnceAndInOrder() throws SQLException {
    store.migrate(THINGS_BEFORE);
    store.inTransaction(
        tx -> tx.unwrap(Handle.class).execute("INSERT INTO things VALUES (1, 'one')"));
    store.migrate(THINGS);
    store.migrate(THINGS);

    assertThat(count("things")).isEqualTo(1);
    assertThat(count("things WHERE weight = 7")).isEqualTo(1);
    assertThat(count("waymark_schema WHERE set_name = 'things'")).isEqualTo(2);
    assertThat(count("waymark_schema WHERE set_name = 'outbox'")).isEqualTo(1);
  }

  @Test
  void validateOnlyLooks() throws SQLException {
    store.migrate(THINGS_BEFORE);
    store.close();
    store = database.store().schema(SchemaMode.VALIDATE).open();
    store.migrate(THINGS_BEFORE);

    assertThatThrownBy(() -> store.migrate(THINGS))
        .isInstanceOf(DurableStoreException.class)
        .hasMessageStartingWith("WM2002")
        .hasMessageContaining("0002_more.sql")
        .hasMessageContaining("CREATE");
    assertThat(count("waymark_schema WHERE set_name = 'things'")).isEqualTo(1);
  }

  @Test
  void anEmptyDatabaseIsRefusedByValidate() {
    try (TestDatabase empty = newDatabase()) {
      DurableStoreBuilder builder = empty.store().schema(SchemaMode.VALIDATE);

      assertThatThrownBy(builder::open).hasMessageContaining("0001_outbox.sql");
    }
  }

  @Test
  void noneNeitherLooksNorTouches() throws SQLException {
    store.close();
    store = database.store().schema(SchemaMode.NONE).open();

    store.migrate(THINGS);

    assertThat(count("waymark_schema WHERE set_name = 'things'")).isZero();
  }

  @Test
  void aStoreThatIsNewerThanTheProgramIsRefused() {
    store.migrate(THINGS);

    assertThatThrownBy(() -> store.migrate(THINGS_BEFORE))
        .hasMessageStartingWith("WM2002")
        .hasMessageContaining("0002_more.sql")
        .hasMessageContaining("does not know");
  }

  @Test
  void aStepThatDiffersIsRefused() {
    store.migrate(THINGS);
    store.inTransaction(
        tx ->
            tx.unwrap(Handle.class)
                .execute(
                    "UPDATE waymark_schema SET checksum = 'x' WHERE file = '0001_things.sql'"));

    assertThatThrownBy(() -> store.migrate(THINGS))
        .hasMessageStartingWith("WM2002")
        .hasMessageContaining("0001_things.sql")
        .hasMessageContaining("differs");
  }

  @Test
  void aStepThatFailsLeavesNothingOfTheSet() throws SQLException {
    Migrations broken =
        Migrations.of("broken", StoreContract.class, "0001_fine.sql", "0002_broken.sql");

    assertThatThrownBy(() -> store.migrate(broken)).hasMessageStartingWith("WM2003");

    assertThat(count("waymark_schema WHERE set_name = 'broken'")).isZero();
    assertThatThrownBy(() -> count("fine")).isInstanceOf(SQLException.class);
    store.migrate(THINGS);
  }

  @Test
  void setsAreNamedAndNumberedAsTheyMustBe() {
    assertThatThrownBy(() -> Migrations.of("Things", StoreContract.class))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Migrations.of("things", StoreContract.class, "0002_x.sql"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0001_");
    assertThatThrownBy(() -> store.migrate(Migrations.of("none", Object.class, "0001_x.sql")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0001_x.sql");
  }
}
