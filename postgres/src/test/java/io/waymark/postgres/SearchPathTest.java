package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waymark.testing.postgres.PostgresNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A caller's search path that is full of traps catches no query of ours. */
class SearchPathTest {
  @RegisterExtension static final SharedCluster cluster = new SharedCluster();

  private static final Pattern CALLED = Pattern.compile("\\b([a-z][a-z0-9_]+)\\(");

  /**
   * Every function of PostgreSQL whose name stands before a parenthesis in our sources has a double
   * that fails, in a schema that is searched first; so have the types and views.
   */
  @BeforeEach
  void setTraps() throws IOException, SQLException {
    String names = names().stream().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
    cluster.onPrimary(
        "DROP SCHEMA IF EXISTS traps CASCADE; CREATE SCHEMA traps; GRANT USAGE ON SCHEMA traps TO"
            + " PUBLIC",
        "DO $do$ DECLARE f record; BEGIN FOR f IN SELECT proname, oidvectortypes(proargtypes) AS"
            + " args FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind = 'f'"
            + " AND NOT proretset AND proname IN ("
            + names
            + ") AND NOT oidvectortypes(proargtypes) ~ 'internal|cstring|any' LOOP"
            + " EXECUTE format('CREATE FUNCTION traps.%I(%s) RETURNS text LANGUAGE plpgsql AS"
            + " $f$BEGIN RAISE EXCEPTION ''a trap''; END$f$', f.proname, f.args);"
            + " END LOOP; END $do$",
        "CREATE DOMAIN traps.int8 AS pg_catalog.text CHECK (false);"
            + " CREATE DOMAIN traps.int4 AS pg_catalog.text CHECK (false);"
            + " CREATE DOMAIN traps.text AS pg_catalog.int4 CHECK (false);"
            + " CREATE DOMAIN traps.xid8 AS pg_catalog.text CHECK (false);"
            + " CREATE DOMAIN traps.bit AS pg_catalog.text CHECK (false);"
            + " CREATE VIEW traps.pg_stat_wal_receiver AS SELECT -1 AS received_tli;"
            + " DROP ROLE IF EXISTS mallory; CREATE ROLE mallory LOGIN;"
            + " GRANT pg_read_all_data, pg_write_all_data, pg_monitor TO mallory;"
            + " ALTER ROLE mallory SET search_path = traps, public, pg_catalog",
        "TRUNCATE notes");
    cluster.replicas().forEach(PostgresNode::awaitCaughtUp);
  }

  private static Set<String> names() throws IOException {
    Path sources = Path.of(System.getProperty("basedir", ".")).resolve("src/main/java");
    Set<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        CALLED.matcher(Files.readString(file)).results().forEach(call -> names.add(call.group(1)));
      }
    }
    return names;
  }

  @Test
  void theTrapsCatchWhoDoesNotNameTheSchema() throws SQLException {
    try (Connection connection = cluster.primary().connect("mallory", "")) {
      assertThat(Jdbc.one(connection, "SHOW search_path")).startsWith("traps");
      for (String trapped : new String[] {"pg_is_in_recovery()", "pg_current_wal_flush_lsn()"}) {
        assertThatThrownBy(() -> Jdbc.one(connection, "SELECT " + trapped))
            .hasMessageContaining("a trap");
      }
    }
  }

  @Test
  void noQueryOfOursIsCaught() throws SQLException {
    String insert = "INSERT INTO public.notes VALUES (%d, 'own')";
    String rows = "SELECT count(*) FROM public.notes";
    try (RecordedDataSource source =
        cluster.open(
            b -> b.user("mallory").routing(r -> r.probe("200ms").maxLag("1m").nudge(Nudge.ON)))) {
      source.write(String.format(insert, 1));
      assertThat(source.read(rows)).isEqualTo("1");
      try (Connection connection = source.writer()) {
        connection.setAutoCommit(false);
        Jdbc.execute(connection, String.format(insert, 2));
        cluster.pauseReplay();
        connection.commit();
      }
      assertThat(source.read(rows)).isEqualTo("2");
      assertThat(source.lastReason()).isEqualTo("fallback:behind");
      cluster.resumeReplay();
      cluster.replicas().forEach(PostgresNode::awaitCaughtUp);
      assertThat(source.read(rows)).isEqualTo("2");
      assertThat(source.lastReason()).startsWith("auto:");

      assertThat(source.db().endpoints())
          .allSatisfy(
              status -> {
                assertThat(status.circuit()).isEqualTo("closed");
                assertThat(status.timeline()).isEqualTo(1);
                assertThat(status.position()).isPresent();
              });
    }
  }

  @Test
  void norIsALookOfATool() throws SQLException {
    EndpointProbe.Result seen =
        EndpointProbe.probe(cluster.replica(1).url(), "mallory", null, Duration.ofSeconds(5));

    assertThat(seen.timeline()).isEqualTo(1);
    assertThat(seen.receiver()).isEqualTo(EndpointProbe.Receiver.STREAMING);
  }
}
