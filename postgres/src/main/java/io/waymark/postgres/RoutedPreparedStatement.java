package io.waymark.postgres;

import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.net.URL;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.Date;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.SQLXML;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement that keeps what the caller set, so that it can be prepared on whichever
 * server serves it, now and, after a failure or a move of the connection, elsewhere.
 *
 * <p>Parameters reach the driver when the statement is executed; what is wrong with them is said
 * then.
 *
 * @param <S> the driver's statement
 */
class RoutedPreparedStatement<S extends PreparedStatement> extends RoutedStatement<S>
    implements PreparedStatement {
  private final SqlTraits traits;
  private @Nullable Setting<? super S>[] parameters = newSettings(4);
  private int parameterCount;
  private boolean readOnce;
  private boolean cleared;
  private final List<@Nullable Setting<? super S>[]> batch = new ArrayList<>(0);

  RoutedPreparedStatement(RoutedConnection connection, String sql, Work<Connection, S> maker) {
    super(connection, maker);
    this.traits = SqlTraits.of(sql);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static <S extends Statement> @Nullable Setting<? super S>[] newSettings(int size) {
    return new Setting[size];
  }

  /** Keeps a parameter. */
  final void set(int index, Setting<? super S> setting) throws SQLException {
    checkOpen();
    if (index < 1 || index > MOST_PARAMETERS) {
      throw new SQLException("parameter index " + index + " is out of range", "22023");
    }
    if (index > parameters.length) {
      parameters = Arrays.copyOf(parameters, Math.max(index, 2 * parameters.length));
    }
    parameters[index - 1] = setting;
    parameterCount = Math.max(parameterCount, index);
  }

  /** The protocol's own limit. */
  private static final int MOST_PARAMETERS = 65_535;

  /** Keeps a parameter that can be read once only: the statement is not sent a second time. */
  final void setOnce(int index, Setting<? super S> setting) throws SQLException {
    set(index, setting);
    readsOnce();
  }

  private void object(int index, @Nullable Object value, Setting<? super S> setting)
      throws SQLException {
    set(index, setting);
    if (Snapshot.isReadOnce(value)) {
      readsOnce();
    }
  }

  /** The statement is not sent a second time. */
  final void readsOnce() {
    readOnce = true;
  }

  /** Sets everything that the caller set on the driver's statement. */
  private void replay(S on) throws SQLException {
    if (cleared) {
      on.clearParameters();
      cleared = false;
    }
    replayNamed(on);
    replay(on, parameters);
  }

  /** Sets what is not set by an index alone. */
  void replayNamed(S on) throws SQLException {}

  private void replay(S on, @Nullable Setting<? super S>[] settings) throws SQLException {
    for (Setting<? super S> setting : settings) {
      if (setting != null) {
        setting.on(on);
      }
    }
  }

  private <R> R executed(Work<S, R> work) throws SQLException {
    return execute(
        traits,
        false,
        !readOnce,
        on -> {
          replay(on);
          return work.on(on);
        });
  }

  @Override
  public ResultSet executeQuery() throws SQLException {
    return shown(executed(PreparedStatement::executeQuery));
  }

  @Override
  public int executeUpdate() throws SQLException {
    return executed(PreparedStatement::executeUpdate);
  }

  @Override
  public long executeLargeUpdate() throws SQLException {
    return executed(PreparedStatement::executeLargeUpdate);
  }

  @Override
  public boolean execute() throws SQLException {
    return tookResult(executed(PreparedStatement::execute));
  }

  @Override
  public void clearParameters() throws SQLException {
    checkOpen();
    Arrays.fill(parameters, null);
    parameterCount = 0;
    readOnce = readOnce && !batch.isEmpty();
    cleared = true;
  }

  @Override
  public void addBatch() throws SQLException {
    checkOpen();
    batch.add(Arrays.copyOf(parameters, parameterCount));
  }

  @Override
  public void clearBatch() throws SQLException {
    checkOpen();
    batch.clear();
  }

  @Override
  public int[] executeBatch() throws SQLException {
    return batched(new int[0], Statement::executeBatch);
  }

  @Override
  public long[] executeLargeBatch() throws SQLException {
    return batched(new long[0], Statement::executeLargeBatch);
  }

  private <R> R batched(R nothing, Work<S, R> work) throws SQLException {
    checkOpen();
    if (batch.isEmpty()) {
      return nothing;
    }
    try {
      return execute(
          traits,
          true,
          !readOnce,
          on -> {
            on.clearBatch();
            for (@Nullable Setting<? super S>[] row : batch) {
              replay(on, row);
              on.addBatch();
            }
            return work.on(on);
          });
    } finally {
      batch.clear();
    }
  }

  @Override
  public ResultSetMetaData getMetaData() throws SQLException {
    return ask(PreparedStatement::getMetaData);
  }

  @Override
  public ParameterMetaData getParameterMetaData() throws SQLException {
    return ask(PreparedStatement::getParameterMetaData);
  }

  private static SQLException notHere() {
    return new SQLException("a prepared statement has its text already", "42601");
  }

  @Override
  final SqlTraits traitsOf(String sql) throws SQLException {
    throw notHere();
  }

  @Override
  public void addBatch(String sql) throws SQLException {
    throw notHere();
  }

  @Override
  public void setNull(int a, int b) throws SQLException {
    set(a, on -> on.setNull(a, b));
  }

  @Override
  public void setBoolean(int a, boolean b) throws SQLException {
    set(a, on -> on.setBoolean(a, b));
  }

  @Override
  public void setByte(int a, byte b) throws SQLException {
    set(a, on -> on.setByte(a, b));
  }

  @Override
  public void setShort(int a, short b) throws SQLException {
    set(a, on -> on.setShort(a, b));
  }

  @Override
  public void setInt(int a, int b) throws SQLException {
    set(a, on -> on.setInt(a, b));
  }

  @Override
  public void setLong(int a, long b) throws SQLException {
    set(a, on -> on.setLong(a, b));
  }

  @Override
  public void setFloat(int a, float b) throws SQLException {
    set(a, on -> on.setFloat(a, b));
  }

  @Override
  public void setDouble(int a, double b) throws SQLException {
    set(a, on -> on.setDouble(a, b));
  }

  @Override
  public void setBigDecimal(int a, BigDecimal b) throws SQLException {
    set(a, on -> on.setBigDecimal(a, b));
  }

  @Override
  public void setString(int a, String b) throws SQLException {
    set(a, on -> on.setString(a, b));
  }

  @Override
  public void setBytes(int a, byte[] b) throws SQLException {
    byte[] bNow = Snapshot.of(b);
    set(a, on -> on.setBytes(a, bNow));
  }

  @Override
  public void setDate(int a, Date b) throws SQLException {
    Date bNow = Snapshot.of(b);
    set(a, on -> on.setDate(a, bNow));
  }

  @Override
  public void setTime(int a, Time b) throws SQLException {
    Time bNow = Snapshot.of(b);
    set(a, on -> on.setTime(a, bNow));
  }

  @Override
  public void setTimestamp(int a, Timestamp b) throws SQLException {
    Timestamp bNow = Snapshot.of(b);
    set(a, on -> on.setTimestamp(a, bNow));
  }

  @Override
  public void setAsciiStream(int a, InputStream b, int c) throws SQLException {
    setOnce(a, on -> on.setAsciiStream(a, b, c));
  }

  @Deprecated
  @Override
  public void setUnicodeStream(int a, InputStream b, int c) throws SQLException {
    setOnce(a, on -> on.setUnicodeStream(a, b, c));
  }

  @Override
  public void setBinaryStream(int a, InputStream b, int c) throws SQLException {
    setOnce(a, on -> on.setBinaryStream(a, b, c));
  }

  @Override
  public void setObject(int a, Object b, int c) throws SQLException {
    Object bNow = Snapshot.of(b);
    object(a, b, on -> on.setObject(a, bNow, c));
  }

  @Override
  public void setObject(int a, Object b) throws SQLException {
    Object bNow = Snapshot.of(b);
    object(a, b, on -> on.setObject(a, bNow));
  }

  @Override
  public void setCharacterStream(int a, Reader b, int c) throws SQLException {
    setOnce(a, on -> on.setCharacterStream(a, b, c));
  }

  @Override
  public void setRef(int a, Ref b) throws SQLException {
    set(a, on -> on.setRef(a, b));
  }

  @Override
  public void setBlob(int a, Blob b) throws SQLException {
    set(a, on -> on.setBlob(a, b));
  }

  @Override
  public void setClob(int a, Clob b) throws SQLException {
    set(a, on -> on.setClob(a, b));
  }

  @Override
  public void setArray(int a, Array b) throws SQLException {
    set(a, on -> on.setArray(a, b));
  }

  @Override
  public void setDate(int a, Date b, Calendar c) throws SQLException {
    Date bNow = Snapshot.of(b);
    Calendar cNow = Snapshot.of(c);
    set(a, on -> on.setDate(a, bNow, cNow));
  }

  @Override
  public void setTime(int a, Time b, Calendar c) throws SQLException {
    Time bNow = Snapshot.of(b);
    Calendar cNow = Snapshot.of(c);
    set(a, on -> on.setTime(a, bNow, cNow));
  }

  @Override
  public void setTimestamp(int a, Timestamp b, Calendar c) throws SQLException {
    Timestamp bNow = Snapshot.of(b);
    Calendar cNow = Snapshot.of(c);
    set(a, on -> on.setTimestamp(a, bNow, cNow));
  }

  @Override
  public void setNull(int a, int b, String c) throws SQLException {
    set(a, on -> on.setNull(a, b, c));
  }

  @Override
  public void setURL(int a, URL b) throws SQLException {
    set(a, on -> on.setURL(a, b));
  }

  @Override
  public void setRowId(int a, RowId b) throws SQLException {
    set(a, on -> on.setRowId(a, b));
  }

  @Override
  public void setNString(int a, String b) throws SQLException {
    set(a, on -> on.setNString(a, b));
  }

  @Override
  public void setNCharacterStream(int a, Reader b, long c) throws SQLException {
    setOnce(a, on -> on.setNCharacterStream(a, b, c));
  }

  @Override
  public void setNClob(int a, NClob b) throws SQLException {
    set(a, on -> on.setNClob(a, b));
  }

  @Override
  public void setClob(int a, Reader b, long c) throws SQLException {
    setOnce(a, on -> on.setClob(a, b, c));
  }

  @Override
  public void setBlob(int a, InputStream b, long c) throws SQLException {
    setOnce(a, on -> on.setBlob(a, b, c));
  }

  @Override
  public void setNClob(int a, Reader b, long c) throws SQLException {
    setOnce(a, on -> on.setNClob(a, b, c));
  }

  @Override
  public void setSQLXML(int a, SQLXML b) throws SQLException {
    set(a, on -> on.setSQLXML(a, b));
  }

  @Override
  public void setObject(int a, Object b, int c, int d) throws SQLException {
    Object bNow = Snapshot.of(b);
    object(a, b, on -> on.setObject(a, bNow, c, d));
  }

  @Override
  public void setAsciiStream(int a, InputStream b, long c) throws SQLException {
    setOnce(a, on -> on.setAsciiStream(a, b, c));
  }

  @Override
  public void setBinaryStream(int a, InputStream b, long c) throws SQLException {
    setOnce(a, on -> on.setBinaryStream(a, b, c));
  }

  @Override
  public void setCharacterStream(int a, Reader b, long c) throws SQLException {
    setOnce(a, on -> on.setCharacterStream(a, b, c));
  }

  @Override
  public void setAsciiStream(int a, InputStream b) throws SQLException {
    setOnce(a, on -> on.setAsciiStream(a, b));
  }

  @Override
  public void setBinaryStream(int a, InputStream b) throws SQLException {
    setOnce(a, on -> on.setBinaryStream(a, b));
  }

  @Override
  public void setCharacterStream(int a, Reader b) throws SQLException {
    setOnce(a, on -> on.setCharacterStream(a, b));
  }

  @Override
  public void setNCharacterStream(int a, Reader b) throws SQLException {
    setOnce(a, on -> on.setNCharacterStream(a, b));
  }

  @Override
  public void setClob(int a, Reader b) throws SQLException {
    setOnce(a, on -> on.setClob(a, b));
  }

  @Override
  public void setBlob(int a, InputStream b) throws SQLException {
    setOnce(a, on -> on.setBlob(a, b));
  }

  @Override
  public void setNClob(int a, Reader b) throws SQLException {
    setOnce(a, on -> on.setNClob(a, b));
  }

  @Override
  public void setObject(int a, Object b, SQLType c, int d) throws SQLException {
    Object bNow = Snapshot.of(b);
    object(a, b, on -> on.setObject(a, bNow, c, d));
  }

  @Override
  public void setObject(int a, Object b, SQLType c) throws SQLException {
    Object bNow = Snapshot.of(b);
    object(a, b, on -> on.setObject(a, bNow, c));
  }
}
