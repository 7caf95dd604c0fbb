package io.waymark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.waymark.topology.Member;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PostgresCoordinatorTest extends CoordinatorContract {
  @Override
  TestDatabase newDatabase() {
    return new PostgresDatabase();
  }

  @Test
  void aPoolThatAsksForSerializableTransactionsLosesNoChange() {
    topology.close();
    store.close();
    store = database.store(PostgresCoordinatorTest::serializable).open();
    restart(builder().publishWait(Duration.ZERO));
    topology.update("acme", CoordinatorFixture::three);

    List<CompletableFuture<UpdateResult>> all =
        IntStream.range(0, 4)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () -> topology.update("acme", now -> now.add(Member.active("new-" + i)))))
            .toList();

    all.forEach(CompletableFuture::join);
    assertThat(topology.snapshot("acme").orElseThrow().members()).hasSize(7);
    awaitQuiet();
  }

  @Test
  void aChangeIsOnDiskThoughThePoolAsksForLess() {
    StatementTexts texts = new StatementTexts();
    topology.close();
    store.close();
    store = database.store(connection -> texts.watch(lazy(connection))).open();
    restart(builder());

    assertThat(topology.update("acme", CoordinatorFixture::three).published()).isTrue();

    assertThat(texts.all()).contains("SET LOCAL synchronous_commit TO local");
  }

  @Test
  void aPoolThatAsksForMoreIsLeftAlone() {
    StatementTexts texts = new StatementTexts();
    topology.close();
    store.close();
    store = database.store(texts::watch).open();
    restart(builder());

    topology.update("acme", CoordinatorFixture::three);

    assertThat(texts.all()).noneMatch(text -> text.contains("SET LOCAL"));
  }

  private static Connection lazy(Connection connection) {
    try (var statement = connection.createStatement()) {
      statement.execute("SET synchronous_commit TO off");
      return connection;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Connection serializable(Connection connection) {
    try {
      connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      return connection;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aRoleThatMayAskForLessSeesTheSameHistory() {
    assertThat(History.isSame("7/00000001/5/16400", "7/00000001/5/16400")).isTrue();
    assertThat(History.isSame("7/00000001/5/16400", "5/16400")).isTrue();
    assertThat(History.isSame("5/16400", "7/00000001/5/16400")).isFalse();
    assertThat(History.isSame("7/00000001/5/16400", "7/00000002/5/16400")).isFalse();
    assertThat(History.isSame("7/00000001/5/16400", "5/16401")).isFalse();
  }
}
