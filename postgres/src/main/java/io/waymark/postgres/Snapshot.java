package io.waymark.postgres;

import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.Array;
import java.util.Calendar;
import java.util.Date;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.ByteStreamWriter;

/**
 * Parameters reach the driver when the statement is executed, but mean what they were when they
 * were set: a caller may reuse a mutable value for the next row of a batch.
 */
@SuppressWarnings("JavaUtilDate") // it is what JDBC has
final class Snapshot {
  private Snapshot() {}

  /** The value as it is now: a copy where it is of a mutable type that the driver reads at once. */
  @SuppressWarnings("unchecked") // clone and copy keep the type
  static <T> T of(T value) {
    if (value instanceof Date date) {
      return (T) date.clone();
    }
    if (value instanceof Calendar calendar) {
      return (T) calendar.clone();
    }
    return value != null && value.getClass().isArray() ? (T) copyOfArray(value) : value;
  }

  /** Whether the driver can read it once only, so that it cannot be sent a second time. */
  static boolean isReadOnce(@Nullable Object value) {
    return value instanceof InputStream
        || value instanceof Reader
        || value instanceof ByteStreamWriter;
  }

  private static Object copyOfArray(Object array) {
    int length = Array.getLength(array);
    Object copy = Array.newInstance(array.getClass().getComponentType(), length);
    System.arraycopy(array, 0, copy, 0, length);
    return copy;
  }
}
