package io.waymark.postgres;

import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.net.URL;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.Date;
import java.sql.NClob;
import java.sql.Ref;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call that keeps what the caller set and registered, as {@link RoutedPreparedStatement} does.
 * What it returns is read from the driver's statement that ran last.
 */
final class RoutedCallableStatement extends RoutedPreparedStatement<CallableStatement>
    implements CallableStatement {
  private final Map<Object, Setting<CallableStatement>> named = new LinkedHashMap<>(2);

  RoutedCallableStatement(
      RoutedConnection connection, String sql, Work<Connection, CallableStatement> maker) {
    super(connection, sql, maker);
  }

  private void name(Object key, Setting<CallableStatement> setting) throws SQLException {
    checkOpen();
    named.put(key, setting);
  }

  /** As {@link #name}, for what can be read once only. */
  private void nameOnce(Object key, Setting<CallableStatement> setting) throws SQLException {
    name(key, setting);
    readsOnce();
  }

  private Object value(Object value) {
    return RoutedResultSet.shown(routed(), this, value);
  }

  private void object(String key, @Nullable Object value, Setting<CallableStatement> setting)
      throws SQLException {
    name(key, setting);
    if (Snapshot.isReadOnce(value)) {
      readsOnce();
    }
  }

  @Override
  void replayNamed(CallableStatement on) throws SQLException {
    for (Setting<CallableStatement> setting : named.values()) {
      setting.on(on);
    }
  }

  /** What was registered is no value and stays. */
  @Override
  public void clearParameters() throws SQLException {
    super.clearParameters();
    named.keySet().removeIf(String.class::isInstance);
  }

  @Override
  public void registerOutParameter(int a, int b) throws SQLException {
    name(List.of("out", a), on -> on.registerOutParameter(a, b));
  }

  @Override
  public void registerOutParameter(int a, int b, int c) throws SQLException {
    name(List.of("out", a), on -> on.registerOutParameter(a, b, c));
  }

  @Override
  public boolean wasNull() throws SQLException {
    return results().wasNull();
  }

  @Override
  public String getString(int a) throws SQLException {
    return results().getString(a);
  }

  @Override
  public boolean getBoolean(int a) throws SQLException {
    return results().getBoolean(a);
  }

  @Override
  public byte getByte(int a) throws SQLException {
    return results().getByte(a);
  }

  @Override
  public short getShort(int a) throws SQLException {
    return results().getShort(a);
  }

  @Override
  public int getInt(int a) throws SQLException {
    return results().getInt(a);
  }

  @Override
  public long getLong(int a) throws SQLException {
    return results().getLong(a);
  }

  @Override
  public float getFloat(int a) throws SQLException {
    return results().getFloat(a);
  }

  @Override
  public double getDouble(int a) throws SQLException {
    return results().getDouble(a);
  }

  @Deprecated
  @Override
  public BigDecimal getBigDecimal(int a, int b) throws SQLException {
    return results().getBigDecimal(a, b);
  }

  @Override
  public byte[] getBytes(int a) throws SQLException {
    return results().getBytes(a);
  }

  @Override
  public Date getDate(int a) throws SQLException {
    return results().getDate(a);
  }

  @Override
  public Time getTime(int a) throws SQLException {
    return results().getTime(a);
  }

  @Override
  public Timestamp getTimestamp(int a) throws SQLException {
    return results().getTimestamp(a);
  }

  @Override
  public Object getObject(int a) throws SQLException {
    return value(results().getObject(a));
  }

  @Override
  public BigDecimal getBigDecimal(int a) throws SQLException {
    return results().getBigDecimal(a);
  }

  @Override
  public Object getObject(int a, Map<String, Class<?>> b) throws SQLException {
    return value(results().getObject(a, b));
  }

  @Override
  public Ref getRef(int a) throws SQLException {
    return results().getRef(a);
  }

  @Override
  public Blob getBlob(int a) throws SQLException {
    return results().getBlob(a);
  }

  @Override
  public Clob getClob(int a) throws SQLException {
    return results().getClob(a);
  }

  @Override
  public Array getArray(int a) throws SQLException {
    return results().getArray(a);
  }

  @Override
  public Date getDate(int a, Calendar b) throws SQLException {
    return results().getDate(a, b);
  }

  @Override
  public Time getTime(int a, Calendar b) throws SQLException {
    return results().getTime(a, b);
  }

  @Override
  public Timestamp getTimestamp(int a, Calendar b) throws SQLException {
    return results().getTimestamp(a, b);
  }

  @Override
  public void registerOutParameter(int a, int b, String c) throws SQLException {
    name(List.of("out", a), on -> on.registerOutParameter(a, b, c));
  }

  @Override
  public void registerOutParameter(String a, int b) throws SQLException {
    name(List.of("out", a), on -> on.registerOutParameter(a, b));
  }

  @Override
  public void registerOutParameter(String a, int b, int c) throws SQLException {
    name(List.of("out", a), on -> on.registerOutParameter(a, b, c));
  }

  @Override
  public void registerOutParameter(String a, int b, String c) throws SQLException {
    name(List.of("out", a), on -> on.registerOutParameter(a, b, c));
  }

  @Override
  public URL getURL(int a) throws SQLException {
    return results().getURL(a);
  }

  @Override
  public void setURL(String a, URL b) throws SQLException {
    name(a, on -> on.setURL(a, b));
  }

  @Override
  public void setNull(String a, int b) throws SQLException {
    name(a, on -> on.setNull(a, b));
  }

  @Override
  public void setBoolean(String a, boolean b) throws SQLException {
    name(a, on -> on.setBoolean(a, b));
  }

  @Override
  public void setByte(String a, byte b) throws SQLException {
    name(a, on -> on.setByte(a, b));
  }

  @Override
  public void setShort(String a, short b) throws SQLException {
    name(a, on -> on.setShort(a, b));
  }

  @Override
  public void setInt(String a, int b) throws SQLException {
    name(a, on -> on.setInt(a, b));
  }

  @Override
  public void setLong(String a, long b) throws SQLException {
    name(a, on -> on.setLong(a, b));
  }

  @Override
  public void setFloat(String a, float b) throws SQLException {
    name(a, on -> on.setFloat(a, b));
  }

  @Override
  public void setDouble(String a, double b) throws SQLException {
    name(a, on -> on.setDouble(a, b));
  }

  @Override
  public void setBigDecimal(String a, BigDecimal b) throws SQLException {
    name(a, on -> on.setBigDecimal(a, b));
  }

  @Override
  public void setString(String a, String b) throws SQLException {
    name(a, on -> on.setString(a, b));
  }

  @Override
  public void setBytes(String a, byte[] b) throws SQLException {
    byte[] bNow = Snapshot.of(b);
    name(a, on -> on.setBytes(a, bNow));
  }

  @Override
  public void setDate(String a, Date b) throws SQLException {
    Date bNow = Snapshot.of(b);
    name(a, on -> on.setDate(a, bNow));
  }

  @Override
  public void setTime(String a, Time b) throws SQLException {
    Time bNow = Snapshot.of(b);
    name(a, on -> on.setTime(a, bNow));
  }

  @Override
  public void setTimestamp(String a, Timestamp b) throws SQLException {
    Timestamp bNow = Snapshot.of(b);
    name(a, on -> on.setTimestamp(a, bNow));
  }

  @Override
  public void setAsciiStream(String a, InputStream b, int c) throws SQLException {
    nameOnce(a, on -> on.setAsciiStream(a, b, c));
  }

  @Override
  public void setBinaryStream(String a, InputStream b, int c) throws SQLException {
    nameOnce(a, on -> on.setBinaryStream(a, b, c));
  }

  @Override
  public void setObject(String a, Object b, int c, int d) throws SQLException {
    Object bNow = Snapshot.of(b);
    object(a, b, on -> on.setObject(a, bNow, c, d));
  }

  @Override
  public void setObject(String a, Object b, int c) throws SQLException {
    Object bNow = Snapshot.of(b);
    object(a, b, on -> on.setObject(a, bNow, c));
  }

  @Override
  public void setObject(String a, Object b) throws SQLException {
    Object bNow = Snapshot.of(b);
    object(a, b, on -> on.setObject(a, bNow));
  }

  @Override
  public void setCharacterStream(String a, Reader b, int c) throws SQLException {
    nameOnce(a, on -> on.setCharacterStream(a, b, c));
  }

  @Override
  public void setDate(String a, Date b, Calendar c) throws SQLException {
    Date bNow = Snapshot.of(b);
    Calendar cNow = Snapshot.of(c);
    name(a, on -> on.setDate(a, bNow, cNow));
  }

  @Override
  public void setTime(String a, Time b, Calendar c) throws SQLException {
    Time bNow = Snapshot.of(b);
    Calendar cNow = Snapshot.of(c);
    name(a, on -> on.setTime(a, bNow, cNow));
  }

  @Override
  public void setTimestamp(String a, Timestamp b, Calendar c) throws SQLException {
    Timestamp bNow = Snapshot.of(b);
    Calendar cNow = Snapshot.of(c);
    name(a, on -> on.setTimestamp(a, bNow, cNow));
  }

  @Override
  public void setNull(String a, int b, String c) throws SQLException {
    name(a, on -> on.setNull(a, b, c));
  }

  @Override
  public String getString(String a) throws SQLException {
    return results().getString(a);
  }

  @Override
  public boolean getBoolean(String a) throws SQLException {
    return results().getBoolean(a);
  }

  @Override
  public byte getByte(String a) throws SQLException {
    return results().getByte(a);
  }

  @Override
  public short getShort(String a) throws SQLException {
    return results().getShort(a);
  }

  @Override
  public int getInt(String a) throws SQLException {
    return results().getInt(a);
  }

  @Override
  public long getLong(String a) throws SQLException {
    return results().getLong(a);
  }

  @Override
  public float getFloat(String a) throws SQLException {
    return results().getFloat(a);
  }

  @Override
  public double getDouble(String a) throws SQLException {
    return results().getDouble(a);
  }

  @Override
  public byte[] getBytes(String a) throws SQLException {
    return results().getBytes(a);
  }

  @Override
  public Date getDate(String a) throws SQLException {
    return results().getDate(a);
  }

  @Override
  public Time getTime(String a) throws SQLException {
    return results().getTime(a);
  }

  @Override
  public Timestamp getTimestamp(String a) throws SQLException {
    return results().getTimestamp(a);
  }

  @Override
  public Object getObject(String a) throws SQLException {
    return value(results().getObject(a));
  }

  @Override
  public BigDecimal getBigDecimal(String a) throws SQLException {
    return results().getBigDecimal(a);
  }

  @Override
  public Object getObject(String a, Map<String, Class<?>> b) throws SQLException {
    return value(results().getObject(a, b));
  }

  @Override
  public Ref getRef(String a) throws SQLException {
    return results().getRef(a);
  }

  @Override
  public Blob getBlob(String a) throws SQLException {
    return results().getBlob(a);
  }

  @Override
  public Clob getClob(String a) throws SQLException {
    return results().getClob(a);
  }

  @Override
  public Array getArray(String a) throws SQLException {
    return results().getArray(a);
  }

  @Override
  public Date getDate(String a, Calendar b) throws SQLException {
    return results().getDate(a, b);
  }

  @Override
  public Time getTime(String a, Calendar b) throws SQLException {
    return results().getTime(a, b);
  }

  @Override
  public Timestamp getTimestamp(String a, Calendar b) throws SQLException {
    return results().getTimestamp(a, b);
  }

  @Override
  public URL getURL(String a) throws SQLException {
    return results().getURL(a);
  }

  @Override
  public RowId getRowId(int a) throws SQLException {
    return results().getRowId(a);
  }

  @Override
  public RowId getRowId(String a) throws SQLException {
    return results().getRowId(a);
  }

  @Override
  public void setRowId(String a, RowId b) throws SQLException {
    name(a, on -> on.setRowId(a, b));
  }

  @Override
  public void setNString(String a, String b) throws SQLException {
    name(a, on -> on.setNString(a, b));
  }

  @Override
  public void setNCharacterStream(String a, Reader b, long c) throws SQLException {
    nameOnce(a, on -> on.setNCharacterStream(a, b, c));
  }

  @Override
  public void setNClob(String a, NClob b) throws SQLException {
    name(a, on -> on.setNClob(a, b));
  }

  @Override
  public void setClob(String a, Reader b, long c) throws SQLException {
    nameOnce(a, on -> on.setClob(a, b, c));
  }

  @Override
  public void setBlob(String a, InputStream b, long c) throws SQLException {
    nameOnce(a, on -> on.setBlob(a, b, c));
  }

  @Override
  public void setNClob(String a, Reader b, long c) throws SQLException {
    nameOnce(a, on -> on.setNClob(a, b, c));
  }

  @Override
  public NClob getNClob(int a) throws SQLException {
    return results().getNClob(a);
  }

  @Override
  public NClob getNClob(String a) throws SQLException {
    return results().getNClob(a);
  }

  @Override
  public void setSQLXML(String a, SQLXML b) throws SQLException {
    name(a, on -> on.setSQLXML(a, b));
  }

  @Override
  public SQLXML getSQLXML(int a) throws SQLException {
    return results().getSQLXML(a);
  }

  @Override
  public SQLXML getSQLXML(String a) throws SQLException {
    return results().getSQLXML(a);
  }

  @Override
  public String getNString(int a) throws SQLException {
    return results().getNString(a);
  }

  @Override
  public String getNString(String a) throws SQLException {
    return results().getNString(a);
  }

  @Override
  public Reader getNCharacterStream(int a) throws SQLException {
    return results().getNCharacterStream(a);
  }

  @Override
  public Reader getNCharacterStream(String a) throws SQLException {
    return results().getNCharacterStream(a);
  }

  @Override
  public Reader getCharacterStream(int a) throws SQLException {
    return results().getCharacterStream(a);
  }

  @Override
  public Reader getCharacterStream(String a) throws SQLException {
    return results().getCharacterStream(a);
  }

  @Override
  public void setBlob(String a, Blob b) throws SQLException {
    name(a, on -> on.setBlob(a, b));
  }

  @Override
  public void setClob(String a, Clob b) throws SQLException {
    name(a, on -> on.setClob(a, b));
  }

  @Override
  public void setAsciiStream(String a, InputStream b, long c) throws SQLException {
    nameOnce(a, on -> on.setAsciiStream(a, b, c));
  }

  @Override
  public void setBinaryStream(String a, InputStream b, long c) throws SQLException {
    nameOnce(a, on -> on.setBinaryStream(a, b, c));
  }

  @Override
  public void setCharacterStream(String a, Reader b, long c) throws SQLException {
    nameOnce(a, on -> on.setCharacterStream(a, b, c));
  }

  @Override
  public void setAsciiStream(String a, InputStream b) throws SQLException {
    nameOnce(a, on -> on.setAsciiStream(a, b));
  }

  @Override
  public void setBinaryStream(String a, InputStream b) throws SQLException {
    nameOnce(a, on -> on.setBinaryStream(a, b));
  }

  @Override
  public void setCharacterStream(String a, Reader b) throws SQLException {
    nameOnce(a, on -> on.setCharacterStream(a, b));
  }

  @Override
  public void setNCharacterStream(String a, Reader b) throws SQLException {
    nameOnce(a, on -> on.setNCharacterStream(a, b));
  }

  @Override
  public void setClob(String a, Reader b) throws SQLException {
    nameOnce(a, on -> on.setClob(a, b));
  }

  @Override
  public void setBlob(String a, InputStream b) throws SQLException {
    nameOnce(a, on -> on.setBlob(a, b));
  }

  @Override
  public void setNClob(String a, Reader b) throws SQLException {
    nameOnce(a, on -> on.setNClob(a, b));
  }

  @Override
  public <T> T getObject(int a, Class<T> b) throws SQLException {
    return results().getObject(a, b);
  }

  @Override
  public <T> T getObject(String a, Class<T> b) throws SQLException {
    return results().getObject(a, b);
  }

  @Override
  public void setObject(String a, Object b, SQLType c, int d) throws SQLException {
    Object bNow = Snapshot.of(b);
    object(a, b, on -> on.setObject(a, bNow, c, d));
  }

  @Override
  public void setObject(String a, Object b, SQLType c) throws SQLException {
    Object bNow = Snapshot.of(b);
    object(a, b, on -> on.setObject(a, bNow, c));
  }

  @Override
  public void registerOutParameter(int a, SQLType b) throws SQLException {
    name(List.of("out", a), on -> on.registerOutParameter(a, b));
  }

  @Override
  public void registerOutParameter(int a, SQLType b, int c) throws SQLException {
    name(List.of("out", a), on -> on.registerOutParameter(a, b, c));
  }

  @Override
  public void registerOutParameter(int a, SQLType b, String c) throws SQLException {
    name(List.of("out", a), on -> on.registerOutParameter(a, b, c));
  }

  @Override
  public void registerOutParameter(String a, SQLType b) throws SQLException {
    name(List.of("out", a), on -> on.registerOutParameter(a, b));
  }

  @Override
  public void registerOutParameter(String a, SQLType b, int c) throws SQLException {
    name(List.of("out", a), on -> on.registerOutParameter(a, b, c));
  }

  @Override
  public void registerOutParameter(String a, SQLType b, String c) throws SQLException {
    name(List.of("out", a), on -> on.registerOutParameter(a, b, c));
  }
}
