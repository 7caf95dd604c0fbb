package io.waymark.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Placeholder. */
@Command(name = "explain")
final class ExplainCommand implements Callable<Integer> {
  ExplainCommand() {}

  @Override
  public Integer call() {
    return ExitStatus.WRONG_USE;
  }
}
