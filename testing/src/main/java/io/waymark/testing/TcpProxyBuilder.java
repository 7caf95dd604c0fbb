package io.waymark.testing;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Options of a {@link TcpProxy}. Not thread safe. */
public final class TcpProxyBuilder {

  private @Nullable InetSocketAddress target;
  private String name = "";
  private final List<Supplier<? extends ConnectionObserver>> watches = new ArrayList<>();

  TcpProxyBuilder() {}

  /**
   * Where connections are passed on to. Required.
   *
   * @param host a host name or address
   * @param port 1 to 65535
   */
  public TcpProxyBuilder target(String host, int port) {
    this.target = TcpProxy.address(host, port);
    return this;
  }

  /** A name that appears in the names of the proxy's threads; default: its port. */
  public TcpProxyBuilder name(String name) {
    this.name = Objects.requireNonNull(name, "name");
    return this;
  }

  /**
   * Watches the bytes of every connection. May be called several times.
   *
   * @param observers gives a fresh observer for each connection
   */
  public TcpProxyBuilder observe(Supplier<? extends ConnectionObserver> observers) {
    watches.add(Objects.requireNonNull(observers, "observers"));
    return this;
  }

  /**
   * Starts the proxy.
   *
   * @throws IllegalStateException if there is no target
   * @throws java.io.UncheckedIOException if no port could be opened
   */
  public TcpProxy start() {
    if (target == null) {
      throw new IllegalStateException("a proxy needs a target: call target(host, port)");
    }
    return new TcpProxy(target, name, List.copyOf(watches));
  }
}
