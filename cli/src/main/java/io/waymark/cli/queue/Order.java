package io.waymark.cli.queue;

/**
 * What a worker is told to do, as a line on its standard input.
 *
 * @param what is to be done
 */
record Order(Kind what) {
  /** What a worker can be told. */
  enum Kind {
    /** Producer: begin no further push. */
    STOP
  }
}
