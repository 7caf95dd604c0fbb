package io.waymark.topology;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link SnapshotReader} tells of changes. All of it is a hint: the client reads by key what
 * it is told about, and what it is not told about in time it reads when its time to live is over.
 *
 * <p>Thread safe; the methods do not block and do not throw.
 */
public interface SnapshotListener {
  /**
   * A group may have changed.
   *
   * @param group its name; one that the client does not know is ignored
   * @param stamp what is stored now, if it is known; one that the client has seen is ignored
   */
  void changed(String group, @Nullable Stamp stamp);

  /**
   * Changes are told from now on, and some may have been missed before: called each time that the
   * push begins or begins again, once nothing after it can be missed.
   */
  void listening();

  /**
   * Changes are not told any more, until {@link #listening} is called again.
   *
   * @param why in a few words, without secrets
   */
  void interrupted(String why);
}
