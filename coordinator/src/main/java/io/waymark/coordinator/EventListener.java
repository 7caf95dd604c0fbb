package io.waymark.coordinator;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the user's listener, which can do no harm. Thread safe. */
record EventListener(Consumer<? super CoordinatorEvent> listener) {
  private static final Logger LOG = LoggerFactory.getLogger(EventListener.class);

  void tell(CoordinatorEvent event) {
    try {
      listener.accept(event);
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("a listener of the coordinator threw; it is ignored", e);
    }
  }
}
