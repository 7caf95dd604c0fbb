package io.waymark.cli.processes;

import io.waymark.core.OptionText;

/**
 * One process, for people.
 *
 * @param name such as {@code member-2}
 * @param state such as {@code paused}
 * @param starts how often it was started
 * @param meaning what it does, holds or believes
 */
public record WorkerRow(String name, String state, int starts, String meaning) {
  /** The row of a process. */
  public static WorkerRow of(WorkerProcess<?> worker, String meaning) {
    return new WorkerRow(worker.name(), OptionText.word(worker.state()), worker.starts(), meaning);
  }
}
