package io.waymark.examples.events;

/**
 * Something that has happened.
 *
 * @param key to what: all events of a key go to one partition
 * @param what has happened
 */
public record Event(String key, String what) {}
