package io.waymark.cli.simulation;

/** One call after the other, in the order of arrival. */
final class FifoServer implements Server {
  private final VirtualTime time;
  private long freeAt;

  FifoServer(VirtualTime time) {
    this.time = time;
  }

  @Override
  public void take(long work, Runnable done) {
    long now = time.getAsLong();
    freeAt = Math.max(now, freeAt) + work;
    time.after(freeAt - now, done);
  }
}
