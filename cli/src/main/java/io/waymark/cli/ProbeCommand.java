package io.waymark.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Placeholder. */
@Command(name = "probe")
final class ProbeCommand implements Callable<Integer> {
  ProbeCommand() {}

  @Override
  public Integer call() {
    return ExitStatus.WRONG_USE;
  }
}
