package io.waymark.postgres;

/** To be told. */
public final class WaymarkDataSource {
  private WaymarkDataSource() {}
}
