package io.waymark.objects;

/** Where a test's objects live: a folder, or a database. */
interface Stores extends AutoCloseable {
  /** Builders of objects there; each stands for a process of its own. */
  <T> NamedObjectsBuilder<T> objects(ObjectFactory<T> factory);

  @Override
  void close();
}
