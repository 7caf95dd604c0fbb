package io.waymark.bench.peers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waymark.postgres.StatementPath;
import io.waymark.postgres.WaymarkDataSource;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import software.amazon.jdbc.ds.AwsWrapperDataSource;

/** Who is compared, each as its own documentation says to set it up. */
public enum Contender {
  /** What this is about. */
  WAYMARK("Waymark, over all servers") {
    @Override
    StatementPath open(Servers servers) throws SQLException {
      var builder =
          WaymarkDataSource.builder()
              .primary(servers.url(servers.primary()))
              .user(servers.user())
              .max(Settings.MAX)
              .acquireTimeout(Settings.ACQUIRE)
              .connectTimeout(Settings.CONNECT)
              .property("socketTimeout", Long.toString(Settings.SOCKET.toSeconds()));
      servers.replicas().forEach(each -> builder.replica(servers.url(each)));
      WaymarkDataSource source = builder.connect();
      return StatementPath.over(source, source, source::close);
    }
  },

  /** One read-only pool, as in Spring's documentation. */
  SPRING("Spring's lazy proxy, read-only pool over one replica") {
    @Override
    StatementPath open(Servers servers) {
      return lazy(
          Settings.driverPool("primary", servers, servers.url(servers.primary()), false),
          Settings.driverPool("replica", servers, servers.url(servers.replicas().get(0)), true));
    }
  },

  /** The most that Spring and the driver can do together. */
  SPRING_HOSTS("Spring's lazy proxy over the driver's pools of several hosts") {
    @Override
    StatementPath open(Servers servers) {
      return lazy(primaryOf(servers), secondaryOf(servers));
    }
  },

  /** Two pools over several hosts, and a program that chooses by hand. */
  PGJDBC("two pools over the driver's several hosts, chosen by hand") {
    @Override
    StatementPath open(Servers servers) {
      HikariDataSource primary = primaryOf(servers);
      HikariDataSource secondary = secondaryOf(servers);
      return StatementPath.over(secondary, primary, closing(secondary, primary));
    }
  },

  /** As its documentation asks for where servers are not Amazon's: without verification. */
  AWS_SRW("AWS wrapper, srw over two endpoints, unverified") {
    @Override
    StatementPath open(Servers servers) {
      return simpleReadWriteSplitting(servers, false);
    }
  },

  /** With the default of its option. */
  AWS_SRW_VERIFIED("AWS wrapper, srw over two endpoints, verified") {
    @Override
    StatementPath open(Servers servers) {
      return simpleReadWriteSplitting(servers, true);
    }
  };

  private final String description;

  Contender(String description) {
    this.description = description;
  }

  /** As it is written on a command line and in a table. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What it is, in a few words. */
  public String description() {
    return description;
  }

  /** Everybody but Waymark. */
  public static List<Contender> peers() {
    return Arrays.stream(values()).filter(each -> each != WAYMARK).toList();
  }

  /** Opens it; closing the path closes all of it. */
  abstract StatementPath open(Servers servers) throws SQLException;

  /** HikariCP and the driver alone, one pool for each of two servers and a program that knows. */
  static StatementPath control(Servers servers) {
    HikariDataSource writes =
        Settings.driverPool("plain-primary", servers, servers.url(servers.primary()), false);
    HikariDataSource reads =
        Settings.driverPool("plain-replica", servers, servers.url(servers.replicas().get(0)), true);
    return StatementPath.over(reads, writes, closing(reads, writes));
  }

  private static Runnable closing(HikariDataSource first, HikariDataSource second) {
    return () -> {
      try (second) {
        first.close();
      }
    };
  }

  private static HikariDataSource primaryOf(Servers servers) {
    return Settings.driverPool(
        "primary", servers, servers.urlOfAll() + "?targetServerType=primary", false);
  }

  private static HikariDataSource secondaryOf(Servers servers) {
    return Settings.driverPool(
        "secondary",
        servers,
        servers.urlOfAll() + "?targetServerType=preferSecondary&loadBalanceHosts=true",
        true);
  }

  /** The proxy leaves the read-only flag to the read-only pool. */
  private static StatementPath lazy(HikariDataSource writes, HikariDataSource reads) {
    LazyConnectionDataSourceProxy proxy = new LazyConnectionDataSourceProxy(writes);
    proxy.setReadOnlyDataSource(reads);
    return StatementPath.over(proxy, proxy, closing(reads, writes));
  }

  /** Timeouts are in milliseconds here. */
  private static StatementPath simpleReadWriteSplitting(Servers servers, boolean verified) {
    Properties properties = new Properties();
    properties.setProperty("wrapperPlugins", "srw");
    properties.setProperty("srwWriteEndpoint", servers.primary());
    properties.setProperty("srwReadEndpoint", servers.replicas().get(0));
    properties.setProperty("verifyNewSrwConnections", Boolean.toString(verified));
    properties.setProperty("connectTimeout", Long.toString(Settings.CONNECT.toMillis()));
    properties.setProperty("socketTimeout", Long.toString(Settings.SOCKET.toMillis()));
    HikariConfig config = Settings.pool("aws");
    config.setUsername(servers.user());
    config.setDataSourceClassName(AwsWrapperDataSource.class.getName());
    config.addDataSourceProperty(
        "jdbcUrl", "jdbc:aws-wrapper:postgresql://" + servers.primary() + "/" + servers.database());
    config.addDataSourceProperty(
        "targetDataSourceClassName", "org.postgresql.ds.PGSimpleDataSource");
    config.addDataSourceProperty("targetDataSourceProperties", properties);
    HikariDataSource source = new HikariDataSource(config);
    return StatementPath.over(source, source, source::close);
  }
}
