package io.waymark.coordinator;

/** A state's value. */
record Limits(int perSecond) {}
