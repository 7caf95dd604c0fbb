package io.waymark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waymark.core.OptionException;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.Driver;

class EndpointUrlOptionTest {
  private static final String P = "jdbc:postgresql:";

  private static EndpointUrl parse(String url) {
    return EndpointUrl.parse(PostgresOption.PRIMARY, url);
  }

  @ParameterizedTest
  @CsvSource({
    "//db-a/app, db-a:5432/app",
    "//db-a:6432/app, db-a:6432/app",
    "//db-a/, db-a:5432/",
    "//10.0.0.7/app, 10.0.0.7:5432/app",
    "///app?host=, localhost:5432/app",
    "//[::1]:5433/app, [::1]:5433/app",
    "//[2001:db8::1]/app, [2001:db8::1]:5432/app",
    "app, localhost:5432/app",
    "'', localhost:5432/",
    "//, localhost:5432/",
    "///app, localhost:5432/app",
    "//:6432/app, localhost:6432/app",
    "//db-a/a%20b, db-a:5432/a b",
    "//db-a/app?user=app&password=hunter2, db-a:5432/app",
    "//db-a/app?sslmode=require&ApplicationName=a%2Cb, db-a:5432/app",
    "//db-a/app?host=db-b&port=99&dbname=other, db-b:99/other",
    "///app?host&port, localhost:5432/app",
    "//db-a/app&password=hunter2, db-a:5432/app…",
    "///app?PGHOST=db-b, db-b:5432/app"
  })
  void aUrlLeadsToOneAddress(String rest, String address) {
    assertThat(parse(P + rest)).hasToString(address);
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:mysql://root:hunter2@h/d, 'it does not start with jdbc:postgresql:, its scheme is jdbc:mysql:'",
    "postgresql://app:hunter2@h/d, 'its scheme is postgresql:'",
    "JDBC:postgresql://h/d?password=hunter2, it has no scheme",
    "app:hunter2@h/d, it has no scheme",
    "hunter2, it has no scheme",
    "jdbc:postgresql://app:hunter2@h/d, the driver takes no user before the host",
    "jdbc:postgresql://app:hunter2@h, the driver takes no user before the host",
    "jdbc:postgresql://app:hunter2@h/d/e, the driver takes no user before the host",
    "'jdbc:postgresql://app:hunter2@h,i/d', the driver takes no user before the host",
    "jdbc:postgresql:///d?host=app:hunter2@h, the driver takes no user before the host",
    "jdbc:postgresql:app:hunter2@h/d, the driver takes no user before the host",
    "jdbc:postgresql://h/d?PGPORT, its port is not one number",
    "jdbc:postgresql:///?service=hunter2, a service file may name any servers",
    "jdbc:postgresql:/h/hunter2, 'two slashes, not one'",
    "jdbc:postgresql://h?password=hunter2, a slash and the database must follow the host",
    "jdbc:postgresql://h/d/hunter2, more than one slash",
    "jdbc:postgresql://h:hunter2/d, its host and port cannot be read",
    "jdbc:postgresql://h:/d, its host and port cannot be read",
    "jdbc:postgresql://::1/d, its host and port cannot be read",
    "jdbc:postgresql://h:0/d, its port 0 is not between 1 and 65535",
    "jdbc:postgresql://h:65536/d, its port 65536 is not between 1 and 65535",
    "jdbc:postgresql://h/d?port=hunter2, its port is not one number",
    "jdbc:postgresql://h/%hunter2, a percent sign in it",
    "jdbc:postgresql://h/d?password=hunter2%, a percent sign in it"
  })
  void otherUrlsAreRefusedWithoutShowingThem(String url, String why) {
    assertThatThrownBy(() -> parse(url))
        .isExactlyInstanceOf(OptionException.class)
        .hasMessageStartingWith("WM1120: primary cannot be used: ")
        .hasMessageContainingAll(why, "Accepted: a URL with one host, such as jdbc:postgresql://")
        .hasMessageNotContaining("hunter2")
        .hasNoCause();
  }

  @ParameterizedTest
  @CsvSource({
    "'//db-a,db-b:6432/app?password=hunter2', 'db-a,db-b:6432'",
    "'///app?host=db-a%2Cdb-b&password=hunter2', 'db-a,db-b'",
    "'///app?PGHOST=db-a,db-b&password=hunter2', 'db-a,db-b'",
    "'///app?Host=db-a,db-b&PORT=1,2&password=hunter2', 'db-a,db-b'",
    "'//db-a,/app', 'db-a,'"
  })
  void severalHostsAreServersThatHide(String rest, String hosts) {
    assertThatThrownBy(() -> parse(P + rest))
        .isExactlyInstanceOf(OptionException.class)
        .hasMessageContainingAll(
            "it names several hosts (" + hosts + ")", "give each server as an endpoint of its own")
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void whatIsAcceptedTheDriverReadsTheSameWay() {
    long seed = Long.getLong("waymark.seed", System.nanoTime());
    System.out.println("EndpointUrlOptionTest: -Dwaymark.seed=" + seed);
    Random random = new Random(seed);
    List<String> pieces =
        List.of(
            "/",
            "//",
            ":",
            "h",
            "db-a",
            "[::1]",
            ".",
            "5432",
            "0",
            "%2C",
            "%",
            ",",
            "?",
            "&",
            "=",
            "host=",
            "port=",
            "PGPORT=",
            "dbname=",
            "ssl=true",
            "password=p",
            "@",
            "+",
            " ");
    int accepted = 0;
    for (int i = 0; i < 20_000; i++) {
      StringBuilder url = new StringBuilder(random.nextBoolean() ? P + "//h/" : P);
      for (int left = random.nextInt(7); left > 0; left--) {
        url.append(pieces.get(random.nextInt(pieces.size())));
      }
      accepted += agrees(url.toString()) ? 1 : 0;
    }
    assertThat(accepted).as("seed %d", seed).isGreaterThan(1000);
  }

  private static boolean agrees(String url) {
    EndpointUrl ours;
    try {
      ours = parse(url);
    } catch (OptionException refused) {
      return false;
    }
    Properties theirs = Driver.parseURL(url, new Properties());
    assertThat(theirs).as(url).isNotNull();
    String host = theirs.getProperty("PGHOST", "");
    assertThat(ours)
        .as(url)
        .isEqualTo(
            new EndpointUrl(
                host,
                Integer.parseInt(theirs.getProperty("PGPORT", "5432")),
                theirs.getProperty("PGDBNAME", "")));
    return true;
  }
}
