package io.waymark.objects;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where objects live: finds or makes the store of a name, and makes this process its owner. */
interface Home extends AutoCloseable {
  /** The store of one name, owned by this process until it is closed or lost. */
  interface Place {
    ObjectContext context();

    /** Whether another process has become the owner. */
    boolean isLost();

    /** Closes the store, and lets others become the owner. Throws nothing. */
    void close();
  }

  /**
   * Becomes the owner of a name and opens its store.
   *
   * @param hint kept if the name is used for the first time
   * @throws ObjectException if another process is the owner, or the store cannot be opened
   */
  Place open(String name, @Nullable String hint);

  /** The names that were ever used. */
  List<String> names();

  /** Closes what is not a place's. Throws nothing. */
  @Override
  void close();
}
