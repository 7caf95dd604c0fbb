package io.waymark.testing;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * A JUnit Jupiter extension (5 or 6) that gives test methods a {@link SeededRandom} and, when the
 * test fails, adds its seed to the failure as a suppressed exception.
 *
 * <pre>{@code
 * @ExtendWith(SeededRandomExtension.class)
 * class SelectorTest {
 *   @Test
 *   void spreads(SeededRandom random) { ... }
 * }
 * }</pre>
 *
 * <p>A parameter may be declared as {@link SeededRandom} or as {@link RandomGenerator}. All
 * parameters of one test share one generator. Stateless, thus safe with parallel tests.
 */
public final class SeededRandomExtension
    implements ParameterResolver, TestExecutionExceptionHandler {

  private static final Namespace NAMESPACE = Namespace.create(SeededRandomExtension.class);

  /** For {@code @ExtendWith}. */
  public SeededRandomExtension() {}

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == SeededRandom.class || type == RandomGenerator.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    ExtensionContext.Store store = context.getStore(NAMESPACE);
    SeededRandom existing = store.get(SeededRandom.class, SeededRandom.class);
    if (existing != null) {
      return existing;
    }
    SeededRandom fresh = SeededRandom.create();
    store.put(SeededRandom.class, fresh);
    return fresh;
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    SeededRandom random = context.getStore(NAMESPACE).get(SeededRandom.class, SeededRandom.class);
    if (random != null) {
      failure.addSuppressed(new Seed(random.toString()));
    }
    throw failure;
  }

  /** Carries the seed into the report of a failure; it has no stack of its own. */
  private static final class Seed extends Exception {
    private static final long serialVersionUID = 1L;

    Seed(String message) {
      super(message, null, false, false);
    }
  }
}
