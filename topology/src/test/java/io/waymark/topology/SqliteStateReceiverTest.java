package io.waymark.topology;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.junit.jupiter.api.io.TempDir;

class SqliteStateReceiverTest extends JdbcStateReceiverContract {
  @TempDir private Path folder;

  @Override
  Connection connect() throws SQLException {
    Properties settings = new Properties();
    settings.setProperty("busy_timeout", "30000");
    settings.setProperty("journal_mode", "WAL");
    return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("member.db"), settings);
  }
}
