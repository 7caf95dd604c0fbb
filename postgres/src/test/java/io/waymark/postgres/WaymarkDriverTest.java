package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waymark.core.OptionException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The URL for tools that take nothing else, and the data sources behind it. */
class WaymarkDriverTest {
  @RegisterExtension static final SharedCluster cluster = new SharedCluster();

  private static final String SECRET = "hunter2";

  private static String url(String parameters) {
    List<String> hosts = new ArrayList<>();
    cluster.nodes().forEach(node -> hosts.add("127.0.0.1:" + node.port()));
    return "jdbc:waymark:postgresql://" + String.join(",", hosts) + "/postgres?" + parameters;
  }

  private static Map<String, String> texts(String url) {
    return WaymarkUrl.parse(url, new Properties()).texts();
  }

  /** Other tests look for threads that should not be there. */
  @AfterAll
  static void leaveNothing() {
    WaymarkDriver.closeAll();
    await()
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .doesNotContain("waymark-driver-idle"));
  }

  // ---- reading the URL

  @Test
  void theFirstHostIsThePrimaryAndParametersAreSortedOut() {
    assertThat(
            texts(
                "jdbc:waymark:postgresql://a:6432,b,[::1]:5433/app"
                    + "?routing.maxLag=5s&max=5&replicas[0].weight=2&replicas%5B1%5D.name=east"
                    + "&user=u&password=p%26q&sslmode=require&properties.ApplicationName=t"))
        .containsOnly(
            Map.entry("primary", "jdbc:postgresql://a:6432/app"),
            Map.entry("replicas[0].url", "jdbc:postgresql://b/app"),
            Map.entry("replicas[1].url", "jdbc:postgresql://[::1]:5433/app"),
            Map.entry("replicas[0].weight", "2"),
            Map.entry("replicas[1].name", "east"),
            Map.entry("routing.maxLag", "5s"),
            Map.entry("max", "5"),
            Map.entry("user", "u"),
            Map.entry("password", "p&q"),
            Map.entry("properties.sslmode", "require"),
            Map.entry("properties.ApplicationName", "t"));
  }

  @Test
  void theUrlWinsOverTheProperties() {
    Properties info = new Properties();
    info.setProperty("user", "beside");
    info.setProperty("password", SECRET);
    info.setProperty("ApplicationName", "beside");

    WaymarkUrl url = WaymarkUrl.parse("jdbc:waymark:postgresql://a/app?user=inside", info);

    assertThat(url.texts())
        .containsEntry("user", "inside")
        .containsEntry("password", SECRET)
        .containsEntry("properties.ApplicationName", "beside");
    assertThat(url.toString()).contains("a:5432/app").doesNotContain(SECRET);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "db",
        "//",
        "//a",
        "///app",
        "//a,/app",
        "//a,a/app",
        "//app:hunter2@a/app",
        "//a/app/hunter2",
        "//a b/app",
        "//a:x/app",
        "//a:0/app",
        "//a/app?",
        "//a/app?user",
        "//a/app?=hunter2",
        "//a/app?password=%hunter2",
        "//a/app?password=hunter2&password=hunter2",
        "//a/app?sslmode=require&properties.sslmode=require",
        "//a/app?primary=jdbc:postgresql://b/app?password=hunter2",
        "//a/app?single=jdbc:postgresql://b/app?password=hunter2",
        "//a,b/app?replicas[0].url=jdbc:postgresql://b/app",
        "//a/app?replicas[0].weight=2",
        "//a/app?routing.maxlag=hunter2",
        "//a/app?targetServerType=primary",
        "//a/app?pasword=hunter2",
        "//a/app?max=0",
      })
  void whatCannotBeReadIsRefusedAndShowsNoSecret(String rest) {
    String url = "jdbc:waymark:postgresql:" + rest;
    assertThatThrownBy(() -> DriverManager.getConnection(url, "app", SECRET))
        .isInstanceOf(SQLException.class)
        .hasMessageStartingWith("WM1120: ")
        .hasMessageNotContaining(SECRET)
        .hasCauseInstanceOf(OptionException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:waymark:postgresql://a/app, true",
    "jdbc:waymark:, false",
    "jdbc:postgresql://a/app, false",
    "jdbc:h2:mem:x, false",
  })
  void otherDriversUrlsAreNotTouched(String url, boolean ours) throws SQLException {
    WaymarkDriver driver = new WaymarkDriver();

    assertThat(driver.acceptsURL(url)).isEqualTo(ours);
    if (!ours) {
      assertThat(driver.connect(url, new Properties())).isNull();
    }
  }

  @Test
  void toolsLearnWhatAUrlMayHave() {
    var names =
        Arrays.stream(new WaymarkDriver().getPropertyInfo("jdbc:waymark:postgresql:", null))
            .map(info -> info.name)
            .toList();

    assertThat(names)
        .contains("user", "password", "max", "routing.maxLag", "pooler", "sslmode")
        .doesNotContain("primary", "single", "targetServerType", "readOnlyMode")
        .doesNotHaveDuplicates();
  }

  // ---- connecting

  private static Connection connect(WaymarkDriver driver, String url) throws SQLException {
    return Objects.requireNonNull(driver.connect(url, null), "the URL is the driver's");
  }

  @Test
  void aPlainToolRoutesBySetReadOnly() throws SQLException {
    String url = url("user=postgres&max=3&ApplicationName=tool");
    try (Connection connection = DriverManager.getConnection(url)) {
      assertThat(Jdbc.port(connection)).isEqualTo(cluster.primary().port());
      assertThat(Jdbc.one(connection, "SHOW application_name")).isEqualTo("tool");

      connection.setReadOnly(true);

      assertThat(Jdbc.port(connection)).isIn(cluster.replica(1).port(), cluster.replica(2).port());
    }
  }

  @Test
  void aReadSeesWhatAnotherConnectionOfTheSameUrlWrote() throws SQLException {
    cluster.onPrimary("TRUNCATE notes, parents, children");
    cluster.pauseReplay();
    String url = url("user=postgres");
    try (Connection writer = DriverManager.getConnection(url);
        Connection reader = DriverManager.getConnection(url)) {
      Jdbc.execute(writer, "INSERT INTO notes VALUES (1, 'a')");
      reader.setReadOnly(true);

      assertThat(Jdbc.one(reader, "SELECT title FROM notes")).isEqualTo("a");
    }
  }

  @Test
  void oneUrlIsOneDataSourceAndClosedWhenIdle() throws Exception {
    SharedDataSources shared = new SharedDataSources(Duration.ofMillis(300));
    WaymarkDriver driver = new WaymarkDriver(shared);
    String url = url("user=postgres&ApplicationName=idle-close");
    String other = url("user=postgres&ApplicationName=idle-close&max=2");
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<Connection>> all = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        all.add(threads.submit(() -> connect(driver, url)));
      }
      List<Connection> open = new ArrayList<>();
      for (Future<Connection> one : all) {
        open.add(one.get());
      }
      assertThat(shared.count()).isEqualTo(1);
      open.add(connect(driver, other));
      assertThat(shared.count()).isEqualTo(2);
      assertThat(sessions()).isGreaterThan(0);

      for (Connection connection : open) {
        connection.close();
        connection.close(); // counts once
      }
      try (Connection again = connect(driver, url)) {
        await().untilAsserted(() -> assertThat(shared.count()).isEqualTo(1));
        assertThat(Jdbc.one(again, "SELECT 1")).isEqualTo("1");
      }

      await().untilAsserted(() -> assertThat(shared.count()).isZero());
      await().untilAsserted(() -> assertThat(sessions()).isZero());
      await().untilAsserted(() -> assertThat(shared.hasThread()).isFalse());
    } finally {
      threads.shutdown();
      shared.closeAll();
    }
  }

  private static int sessions() throws SQLException {
    int sessions = 0;
    for (var node : cluster.nodes()) {
      try (Connection connection = node.connect()) {
        sessions +=
            Integer.parseInt(
                Jdbc.one(
                    connection,
                    "SELECT count(*) FROM pg_stat_activity"
                        + " WHERE application_name = 'idle-close'"));
      }
    }
    return sessions;
  }

  @Test
  void deregisteringClosesAll() throws SQLException {
    SharedDataSources shared = new SharedDataSources(Duration.ofMinutes(1));
    Connection connection = connect(new WaymarkDriver(shared), url("user=postgres"));

    shared.closeAll();

    assertThat(shared.count()).isZero();
    assertThat(connection.isClosed()).isTrue();
    connection.close();
    assertThat(shared.count()).isZero();
  }

  @Test
  void whatCannotBeOpenedIsNotKept() {
    SharedDataSources shared = new SharedDataSources(Duration.ofMinutes(1));
    String url = "jdbc:waymark:postgresql://127.0.0.1:1/postgres?user=postgres&connectTimeout=1s";

    assertThatThrownBy(() -> new WaymarkDriver(shared).connect(url, null))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("endpoint primary cannot be reached");

    assertThat(shared.count()).isZero();
  }
}
