package io.waymark.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A map of at most so many entries. When it is full, a new entry takes the place of one that was
 * not looked up for about a round: the clock algorithm, or second chance (Corbató, "A paging
 * experiment with the Multics system", 1968).
 *
 * <p>Thread safe. A lookup takes no lock and allocates nothing.
 */
final class BoundedMap<V> {
  private static final class Node<V> {
    final String key;
    final V value;

    /** Looked up since the hand passed. Racy on purpose: a lost mark costs an early eviction. */
    boolean used;

    Node(String key, V value) {
      this.key = key;
      this.value = value;
    }
  }

  private final Map<String, Node<V>> nodes = new ConcurrentHashMap<>();
  private final int capacity;
  private final Predicate<? super V> keep;
  private final LongAdder evictions = new LongAdder();
  private final ReentrantLock inserting = new ReentrantLock();
  private final List<Node<V>> ring = new ArrayList<>();
  private int hand;

  /**
   * @param capacity at least 1
   * @param keep which values are not evicted while there are others
   */
  BoundedMap(int capacity, Predicate<? super V> keep) {
    this.capacity = capacity;
    this.keep = keep;
  }

  /** The value, and a mark that it is used; null if there is none. */
  @Nullable V get(String key) {
    Node<V> node = nodes.get(key);
    if (node == null) {
      return null;
    }
    if (!node.used) { // a write would make the cores pass the line around
      node.used = true;
    }
    return node.value;
  }

  /** The value without a mark. */
  @Nullable V peek(String key) {
    Node<V> node = nodes.get(key);
    return node == null ? null : node.value;
  }

  /** The value, made if there is none. */
  V getOrMake(String key, Function<? super String, ? extends V> make) {
    V found = get(key);
    if (found != null) {
      return found;
    }
    inserting.lock();
    try {
      found = get(key);
      if (found != null) {
        return found;
      }
      Node<V> node = new Node<>(key, make.apply(key));
      place(node);
      nodes.put(key, node);
      return node.value;
    } finally {
      inserting.unlock();
    }
  }

  private void place(Node<V> node) {
    if (ring.size() < capacity) {
      ring.add(node);
      return;
    }
    int steps = 2 * capacity; // after one round nothing is marked; after two all are to be kept
    while (steps-- > 0 && !evictable(ring.get(hand))) {
      hand = (hand + 1) % capacity;
    }
    Node<V> evicted = ring.set(hand, node);
    hand = (hand + 1) % capacity;
    nodes.remove(evicted.key);
    evictions.increment();
  }

  private boolean evictable(Node<V> node) {
    boolean used = node.used;
    node.used = false;
    return !used && !keep.test(node.value);
  }

  /** All values now, in no order. */
  void forEach(Consumer<? super V> action) {
    nodes.values().forEach(node -> action.accept(node.value));
  }

  void clear() {
    inserting.lock();
    try {
      nodes.clear();
      ring.clear();
      hand = 0;
    } finally {
      inserting.unlock();
    }
  }

  int size() {
    return nodes.size();
  }

  /** How many had to make room so far. */
  long evictions() {
    return evictions.sum();
  }
}
