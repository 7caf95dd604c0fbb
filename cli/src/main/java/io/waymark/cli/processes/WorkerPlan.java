package io.waymark.cli.processes;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/**
 * How a worker is run.
 *
 * @param main its main class; it ends with its standard input, and so with the demo
 * @param arguments of the main class
 * @param errors the file of its standard error
 * @param said the type of what it says, a line each
 * @param isReady what it says when it works
 */
public record WorkerPlan<S>(
    Class<?> main,
    List<String> arguments,
    Path errors,
    Class<S> said,
    Predicate<? super S> isReady) {}
