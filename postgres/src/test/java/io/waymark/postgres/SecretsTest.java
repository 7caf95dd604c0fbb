package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waymark.core.Meters;
import io.waymark.core.Operation;
import io.waymark.core.Role;
import io.waymark.testing.postgres.PostgresCluster;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverPropertyInfo;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Lives through much of what a data source meets, collects every text that leaves it, and looks for
 * secrets there. All of them begin alike.
 */
class SecretsTest {
  private static final String MARK = "hunter2";
  private static final String OPTION = MARK + "-option";
  private static final String IN_URL = MARK + "-in-url";
  private static final String ROTATED = MARK + "-rotated";
  private static final String WRONG = MARK + "-wrong";
  private static final String PROPERTY = MARK + "-property";

  private static PostgresCluster cluster;

  private final StringWriter said = new StringWriter(); // many threads call back

  @BeforeAll
  static void start() throws SQLException {
    cluster =
        PostgresCluster.builder().replicas(2).role("vault", OPTION).role("linked", IN_URL).start();
    try (Connection connection = cluster.primary().connect()) {
      Jdbc.execute(connection, "CREATE TABLE kept (id int); GRANT ALL ON kept TO PUBLIC");
    }
    cluster.awaitCaughtUp();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private interface Step {
    void run() throws Exception;
  }

  private void say(Object... shown) {
    for (Object one : shown) {
      said.append(String.valueOf(one)).append('\n');
    }
  }

  /** What it throws is said in full, with causes and what was suppressed. */
  private void attempt(Step step) {
    try {
      step.run();
    } catch (Exception thrown) {
      StringWriter all = new StringWriter();
      thrown.printStackTrace(new PrintWriter(all, true));
      say(all);
    }
  }

  private void fails(Step step) {
    int before = said.toString().length();
    attempt(step);
    assertThat(said.toString().length()).as("it was to fail").isGreaterThan(before);
  }

  /** The second replica's URL has a login of its own, and more that is secret. */
  private WaymarkDataSourceBuilder builder(AtomicReference<String> password) {
    return WaymarkDataSource.builder()
        .user("vault")
        .password(password::get)
        .property("sslpassword", PROPERTY)
        .primary(cluster.primary().proxyUrl())
        .replica(cluster.node("replica-1").proxyUrl())
        .replica(
            cluster.node("replica-2").proxyUrl()
                + "?user=linked&password="
                + IN_URL
                + "&sslpassword="
                + IN_URL)
        .pool(config -> say(config, config.getDataSource(), config.getPoolName()))
        .onRoute(this::say)
        .onChange(this::say)
        .meters(
            new Meters() {
              @Override
              public Counter counter(String name, Map<String, String> tags) {
                say(name, tags);
                return () -> {};
              }

              @Override
              public Timer timer(String name, Map<String, String> tags) {
                say(name, tags);
                return nanos -> {};
              }
            })
        .acquireTimeout(Duration.ofMillis(500))
        .connectTimeout(Duration.ofSeconds(1))
        .routing(r -> r.probe("200ms"));
  }

  @Test
  void noSecretLeavesADataSource() throws Exception {
    AtomicReference<String> password = new AtomicReference<>(OPTION);
    AllLogs logs = new AllLogs();
    try (logs) {
      mistakes(password);
      drivers();
      WaymarkDataSourceBuilder builder = builder(password);
      say(builder, builder.config(), builder.config().primary(), builder.config().replicas());
      try (WaymarkDataSource db = builder.connect()) {
        ordinaryLife(db);
        wrongPasswords(db, password);
        deaths(db);
        Thread.getAllStackTraces().keySet().forEach(thread -> say(thread.getName()));
      }
      tools();
    }

    // What was collected is what it is meant to be.
    assertThat(said.toString())
        .contains(
            "WM1120", "WM1840", "WM1847", "WM1848", "28P01", "auto:replica-", "primary-required")
        .contains("CircuitOpened", "waymark.statement", "waymark-monitor-primary");
    assertThat(logs.text()).contains("io.waymark.postgres", "com.zaxxer.hikari", "org.postgresql");

    assertThat(marked(said.toString())).isEmpty();
    assertThat(marked(logs.text())).isEmpty();
  }

  /** The lines that show a secret. */
  private static List<String> marked(String text) {
    return text.lines().filter(line -> line.contains(MARK)).distinct().toList();
  }

  // ---- what is got wrong before anything is open

  private void mistakes(AtomicReference<String> password) {
    String url = cluster.primary().proxyUrl() + "?password=" + IN_URL;
    fails(() -> builder(password).replica(r -> r.url(url).name("primary")).connect());
    fails(() -> builder(password).replica(r -> r.url(url).weight(-1)));
    fails(() -> builder(password).single(url).connect());
    fails(() -> builder(password).properties(Map.of("passwort", WRONG)));
    fails(() -> builder(password).properties(Map.of(url, WRONG)));
    fails(() -> builder(password).properties(Map.of("routing.fallback", url)));
    fails(() -> builder(password).property("sslpasswort", PROPERTY).connect());
    fails(() -> builder(password).property("password", PROPERTY).connect());
    fails(() -> builder(password).pool(c -> c.setPassword(PROPERTY)).connect());
    fails(() -> builder(password).pool(c -> c.setJdbcUrl(url)).connect());
    fails(() -> WaymarkDataSource.builder().primary("jdbc:postgresql://u:" + WRONG + "@h/db"));
    fails(() -> WaymarkDataSource.builder().primary(url + "&targetServerType=any").connect());
    fails(
        () ->
            builder(password)
                .password(
                    () -> {
                      throw new IllegalStateException(WRONG);
                    })
                .connect());
    fails(() -> builder(new AtomicReference<>(WRONG)).connect());
    fails(
        () ->
            WaymarkDataSource.builder()
                .primary(cluster.primary().proxyUrl() + "?user=linked&password=" + WRONG)
                .connect());
  }

  // ---- the driver's URL, and tools

  private void drivers() throws SQLException {
    WaymarkDriver driver = new WaymarkDriver();
    String hosts =
        "//127.0.0.1:"
            + cluster.primary().proxy().port()
            + ",127.0.0.1:"
            + cluster.node("replica-1").proxy().port()
            + "/postgres";
    String url =
        "jdbc:waymark:postgresql:" + hosts + "?user=vault&sslpassword=" + PROPERTY + "&password=";
    Properties info = new Properties();
    info.setProperty("password", WRONG);
    fails(() -> driver.connect(url + WRONG, info));
    fails(() -> driver.connect(url + WRONG + "&routing.probe=soon", info));
    fails(() -> driver.connect(url + WRONG + "&unheardOf=" + WRONG, info));
    for (DriverPropertyInfo property : driver.getPropertyInfo(url + OPTION, info)) {
      if (!property.name.equals("password") && !property.name.equals("sslpassword")) {
        say(property.name, property.value, property.description, Arrays.toString(property.choices));
      }
    }
    try (Connection connection = Objects.requireNonNull(driver.connect(url + OPTION, info))) {
      say(connection, connection.getMetaData().getURL(), connection.getMetaData());
      say(Jdbc.one(connection, "SELECT 1"), connection);
    }
  }

  private void tools() {
    String url = cluster.primary().proxyUrl() + "?user=linked&password=";
    say(EndpointProbe.address(PostgresOption.PRIMARY, url + IN_URL));
    attempt(() -> say(EndpointProbe.probe(url + IN_URL, null, null, Duration.ofSeconds(2))));
    attempt(() -> say(EndpointProbe.probe(url + WRONG, null, WRONG, Duration.ofSeconds(2))));
  }

  // ---- what is handed out

  private void ordinaryLife(WaymarkDataSource db) throws SQLException {
    say(db, db.using(Role.REPLICA), db.endpoints(), db.admin(), db.admin().state());
    say(db.inspect(Operation.READ), db.inspect(Operation.WRITE));
    fails(() -> db.getConnection("vault", WRONG));
    try (CausalSession session = db.session();
        RouteScope scope = db.route(Role.REPLICA)) {
      say(session, scope);
    }
    try (Connection connection = db.getConnection();
        Statement statement = connection.createStatement();
        PreparedStatement prepared = connection.prepareStatement("SELECT ?");
        CallableStatement call = connection.prepareCall("{? = call upper(?)}")) {
      say(connection, statement, prepared, call, connection.getMetaData().getURL());
      connection.setAutoCommit(false);
      statement.execute("INSERT INTO kept VALUES (0)");
      say(connection.setSavepoint("here"), connection, connection.getClientInfo());
      prepared.setInt(1, 1);
      try (ResultSet rows = prepared.executeQuery()) {
        say(rows, rows.getMetaData(), prepared, prepared.getParameterMetaData());
      }
      connection.commit();
      say(connection.getMetaData(), connection.getMetaData().getUserName());
      fails(() -> statement.execute("SELECT nonsense"));
      connection.rollback();
    }
    cluster.awaitCaughtUp();
    for (int i = 0; i < 6; i++) {
      try (Connection reader = db.getConnection()) {
        reader.setReadOnly(true);
        reader.setAutoCommit(i % 2 == 0);
        say(reader.getMetaData().getURL(), Jdbc.one(reader, "SELECT 1"), reader);
        fails(() -> Jdbc.execute(reader, "DELETE FROM kept"));
      }
    }
    try (Connection forced = db.using(Role.REPLICA).getConnection()) {
      fails(() -> Jdbc.execute(forced, "DELETE FROM kept"));
    }
  }

  private void wrongPasswords(WaymarkDataSource db, AtomicReference<String> password)
      throws SQLException {
    password.set(WRONG);
    try (Connection held = db.getConnection()) {
      Jdbc.one(held, "SELECT 1"); // there is another connection to open now
      fails(() -> write(db));
    }
    try (Connection beside = cluster.primary().connect()) {
      // In two parts, for the driver logs this text.
      Jdbc.execute(
          beside,
          "DO $$ BEGIN EXECUTE 'ALTER ROLE vault PASSWORD ''"
              + ROTATED.replace("2", "' || '2")
              + "'''; END $$");
    }
    password.set(ROTATED);
    await()
        .ignoreExceptions()
        .until(
            () -> {
              write(db);
              return true;
            });
  }

  private static void write(WaymarkDataSource db) throws SQLException {
    try (Connection connection = db.getConnection()) {
      Jdbc.execute(connection, "INSERT INTO kept VALUES (1)");
    }
  }

  // ---- deaths

  private void deaths(WaymarkDataSource db) throws SQLException {
    for (String replica : new String[] {"replica-1", "replica-2"}) {
      cluster.node(replica).kill();
    }
    for (int i = 0; i < 4; i++) {
      attempt(
          () -> {
            try (Connection reader = db.getConnection()) {
              reader.setReadOnly(true);
              say(Jdbc.one(reader, "SELECT count(*) FROM kept"));
            }
          });
    }
    await().until(() -> db.endpoints().stream().anyMatch(s -> s.circuit().startsWith("open")));
    fails(() -> Jdbc.one(db.using(Role.REPLICA).getConnection(), "SELECT 1"));
    try (Connection connection = db.getConnection()) {
      connection.setAutoCommit(false);
      Jdbc.execute(connection, "INSERT INTO kept VALUES (2)");
      cluster.primary().kill();
      fails(connection::commit);
    }
    fails(() -> write(db));
    say(db, db.endpoints());
    attempt(() -> say(db.inspect(Operation.READ)));
    db.close();
    fails(db::getConnection);
  }
}
