package io.waymark.cli.processes;

import java.util.List;

/**
 * What was done to the processes of a demo.
 *
 * @param latest the last few, the newest last
 * @param count how many there were in all
 */
public record Events(List<String> latest, long count) {}
