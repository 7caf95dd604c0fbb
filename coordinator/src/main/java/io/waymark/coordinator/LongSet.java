package io.waymark.coordinator;

/** A set of longs without an object for each: open addressing, at most two thirds full. */
final class LongSet {
  private long[] slots = new long[1024];
  private int size;
  private boolean hasZero;

  void add(long value) {
    if (value == 0) {
      hasZero = true;
      return;
    }
    if (size > slots.length / 3 * 2) {
      grow();
    }
    int slot = slot(slots, value);
    if (slots[slot] == 0) {
      slots[slot] = value;
      size++;
    }
  }

  boolean contains(long value) {
    return value == 0 ? hasZero : slots[slot(slots, value)] == value;
  }

  private static int slot(long[] slots, long value) {
    int slot = (int) value & (slots.length - 1);
    while (slots[slot] != 0 && slots[slot] != value) {
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  }

  private void grow() {
    long[] more = new long[slots.length * 2];
    for (long value : slots) {
      if (value != 0) {
        more[slot(more, value)] = value;
      }
    }
    slots = more;
  }
}
