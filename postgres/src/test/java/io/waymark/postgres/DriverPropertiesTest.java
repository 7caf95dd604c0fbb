package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waymark.core.OptionException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What reaches the driver, what does not, and what is never shown. */
class DriverPropertiesTest {
  @RegisterExtension static final SharedCluster cluster = new SharedCluster();

  private static final String URL = "jdbc:postgresql://db-a/app";
  private static final String SECRET = "hunter2";

  private static WaymarkDataSourceBuilder builder() {
    return WaymarkDataSource.builder().primary(URL);
  }

  @ParameterizedTest
  @CsvSource({
    "targetServerType, primary, roles are found out by probes",
    "loadBalanceHosts, true, routing.select",
    "hostRecheckSeconds, 1, routing.probe",
    "readOnly, true, declared on each connection",
    "readOnlyMode, always, differs by server",
    "replication, database, ordinary statements",
    "user, app, the option user",
    "password, x, the option password",
    "connectTimeout, 5, the option connectTimeout",
    "loginTimeout, 5, the option connectTimeout",
    "PGHOST, db-b, the host is in the URL",
    "service, x, a service file",
  })
  void whatWaymarkDecidesIsRefusedWithTheReason(String name, String value, String reason) {
    assertThatThrownBy(() -> builder().property(name, value))
        .isInstanceOf(OptionException.class)
        .hasMessageStartingWith("WM1120: properties." + name + " cannot be passed to the driver: ")
        .hasMessageContaining(reason);
    assertThatThrownBy(() -> builder().properties(Map.of("properties." + name, value)))
        .isInstanceOf(OptionException.class)
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "targetServerType=primary",
        "loadBalanceHosts=true",
        "hostRecheckSeconds=1",
        "readOnly=true",
        "readOnlyMode=always",
        "replication=database"
      })
  void routingOfTheDriversIsRefusedInUrlsToo(String parameter) {
    assertThatThrownBy(() -> WaymarkDataSource.builder().primary(URL + "?" + parameter))
        .isInstanceOf(OptionException.class)
        .hasMessageContaining("parameter " + parameter.replaceAll("=.*", ""));
  }

  @Test
  void aMisspeltNameIsRefusedWithTheNearest() {
    assertThatThrownBy(() -> builder().property("sslmod", "require").config())
        .isInstanceOf(OptionException.class)
        .hasMessageContaining("properties.sslmod is not a property that the driver knows")
        .hasMessageContaining("did you mean properties.sslmode?");
    assertThatThrownBy(() -> builder().property("a b", "c")).isInstanceOf(OptionException.class);
  }

  @Test
  void aFactoryOfTheUsersMayKnowMoreNames() {
    WaymarkDataSourceConfig config =
        builder().property("socketFactory", "a.B").property("cloudInstance", SECRET).config();

    assertThat(config.properties()).containsEntry("cloudInstance", SECRET);
    assertThat(config.toString()).contains("cloudInstance").doesNotContain(SECRET);
  }

  @ParameterizedTest
  @CsvSource({"sslmode, maybe", "socketTimeout, soon", "preferQueryMode, fast"})
  void aValueThatTheDriverWouldNotTakeIsRefused(String name, String value) {
    assertThatThrownBy(() -> builder().property(name, value))
        .isInstanceOf(OptionException.class)
        .hasMessageContaining(value)
        .hasMessageContaining("Accepted: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sslpassword", "options", "sslfactoryarg", "socketFactoryArg"})
  void whatMayBeASecretIsShownNowhere(String name) {
    WaymarkDataSourceBuilder builder = builder().property(name, SECRET);

    assertThat(builder.toString()).doesNotContain(SECRET);
    assertThat(builder.config().toString()).contains(name).doesNotContain(SECRET);
    assertThatThrownBy(() -> builder().property(name, SECRET + '\0'))
        .hasMessageNotContaining(SECRET);
  }

  @Test
  void builderAndTextLeadToTheSame() {
    WaymarkDataSourceConfig typed =
        builder().property("ApplicationName", "a").pooler(Pooler.TRANSACTION).config();
    Properties texts = new Properties();
    texts.setProperty("primary", URL);
    texts.setProperty("properties.ApplicationName", " a ");
    texts.setProperty("pooler", "transaction");
    WaymarkDataSourceConfig text = WaymarkDataSource.builder().properties(texts).config();

    assertThat(text.properties()).isEqualTo(typed.properties());
    assertThat(text.pooler()).isEqualTo(typed.pooler());
  }

  @Test
  void theyReachEveryConnectionOfPoolsAndMonitors() throws SQLException {
    try (RecordedDataSource source =
            cluster.open(
                b ->
                    b.property("ApplicationName", "passed-on")
                        .property("options", "-c lock_timeout=4321"));
        Connection writer = source.writer();
        Connection reader = source.reader()) {
      assertThat(Jdbc.one(writer, "SHOW lock_timeout")).isEqualTo("4321ms");
      assertThat(Jdbc.one(reader, "SHOW lock_timeout")).isEqualTo("4321ms");
      String sessions =
          "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'passed-on'";
      // At least a monitor's and a caller's.
      assertThat(Integer.parseInt(Jdbc.one(writer, sessions))).isGreaterThanOrEqualTo(2);
      assertThat(Integer.parseInt(Jdbc.one(reader, sessions))).isGreaterThanOrEqualTo(2);
    }
  }

  @Test
  void whatTheUrlSaysWins() throws SQLException {
    try (WaymarkDataSource db =
            WaymarkDataSource.builder()
                .user("postgres")
                .primary(cluster.primary().url() + "?ApplicationName=of-the-url")
                .property("ApplicationName", "passed-on")
                .connect();
        Connection connection = db.getConnection()) {
      assertThat(Jdbc.one(connection, "SHOW application_name")).isEqualTo("of-the-url");
    }
  }

  @Test
  void aSocketTimeoutHoldsForCallersAndNotForProbes() throws SQLException {
    try (RecordedDataSource source =
        cluster.open(b -> b.property("socketTimeout", "1").routing(r -> r.probe("10s")))) {
      try (Connection connection = source.writer()) {
        long started = System.nanoTime();
        assertThatThrownBy(() -> Jdbc.one(connection, "SELECT pg_sleep(20)"))
            .isInstanceOf(SQLException.class);
        assertThat(System.nanoTime() - started).isLessThan(8_000_000_000L);
      }
      assertThat(source.status("primary").circuit()).isEqualTo("closed");
    }
  }

  @Test
  void smallPortionsOfRowsDisturbNeitherCommitNorProbeNorRead() throws SQLException {
    cluster.onPrimary("TRUNCATE notes, parents, children");
    try (RecordedDataSource source =
        cluster.open(b -> b.property("defaultRowFetchSize", "1").max(1))) {
      try (Connection connection = source.writer()) {
        connection.setAutoCommit(false);
        Jdbc.execute(connection, "INSERT INTO notes SELECT n, 'x' FROM generate_series(1, 5) n");
        connection.commit();
      }
      assertThat(source.read("SELECT count(*) FROM notes")).isEqualTo("5");
      try (Connection primary = source.db().using(io.waymark.core.Role.PRIMARY).getConnection()) {
        primary.setReadOnly(true);
        int rows = 0;
        try (Statement statement = primary.createStatement();
            var result = statement.executeQuery("SELECT id FROM notes")) {
          while (result.next()) {
            rows++;
          }
        }
        assertThat(rows).isEqualTo(5);
        try (var tables = primary.getMetaData().getTables(null, "public", "%", null)) {
          int found = 0;
          while (tables.next()) {
            found++;
          }
          assertThat(found).isGreaterThan(3);
        }
      }
    }
  }
}
