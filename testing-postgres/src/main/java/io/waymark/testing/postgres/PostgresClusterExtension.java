package io.waymark.testing.postgres;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A cluster for JUnit Jupiter (5 or 6). In a static field it lives as long as the test class, with
 * its nested classes; in an instance field each test gets a fresh one.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final PostgresClusterExtension POSTGRES =
 *     PostgresClusterExtension.of(PostgresCluster.builder().replicas(2));
 *
 * @Test
 * void readsGoToAReplica(PostgresCluster cluster) { ... }
 * }</pre>
 *
 * <p>A test gets the cluster as a parameter or from {@link #cluster()}. Not thread safe: the tests
 * of a class may run in parallel, but an instance field needs one test at a time.
 */
public final class PostgresClusterExtension
    implements BeforeAllCallback,
        BeforeEachCallback,
        AfterEachCallback,
        AfterAllCallback,
        ParameterResolver {

  private final PostgresClusterBuilder builder;
  private volatile @Nullable PostgresCluster cluster;
  private volatile @Nullable String owner;

  private PostgresClusterExtension(PostgresClusterBuilder builder) {
    this.builder = Objects.requireNonNull(builder, "builder");
  }

  /** A cluster with these options; it is started when the tests begin. */
  public static PostgresClusterExtension of(PostgresClusterBuilder builder) {
    return new PostgresClusterExtension(builder);
  }

  /** A cluster with default options: a primary and two replicas. */
  public static PostgresClusterExtension create() {
    return of(PostgresCluster.builder());
  }

  /**
   * The running cluster.
   *
   * @throws IllegalStateException outside of tests
   */
  public PostgresCluster cluster() {
    PostgresCluster running = cluster;
    if (running == null) {
      throw new IllegalStateException(
          "the cluster runs only during tests; register the extension with @RegisterExtension");
    }
    return running;
  }

  /** Starts the cluster of a static field. */
  @Override
  public void beforeAll(ExtensionContext context) {
    startFor(context);
  }

  /** Starts the cluster of an instance field. */
  @Override
  public void beforeEach(ExtensionContext context) {
    startFor(context);
  }

  /** Ends the cluster of an instance field. */
  @Override
  public void afterEach(ExtensionContext context) {
    endFor(context);
  }

  /** Ends the cluster of a static field. */
  @Override
  public void afterAll(ExtensionContext context) {
    endFor(context);
  }

  /** Whoever comes first owns the cluster; nested classes and tests inside share it. */
  private void startFor(ExtensionContext context) {
    if (cluster == null) {
      owner = context.getUniqueId();
      cluster = builder.start();
    }
  }

  private void endFor(ExtensionContext context) {
    PostgresCluster running = cluster;
    if (running != null && context.getUniqueId().equals(owner)) {
      cluster = null;
      running.close();
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == PostgresCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return cluster();
  }
}
