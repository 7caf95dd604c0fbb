package io.waymark.topology;

import io.waymark.core.OptionText;
import io.waymark.core.WaymarkException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** No snapshot of a group can be had and no fallback applied; code WM2101. */
public final class TopologyUnavailableException extends WaymarkException {
  @Serial private static final long serialVersionUID = 1;

  private final String group;
  private final UnavailableReason reason;

  TopologyUnavailableException(
      String group, UnavailableReason reason, String detail, @Nullable Throwable cause) {
    super(
        TopologyError.UNAVAILABLE.code(),
        "group " + OptionText.quote(group) + " is unavailable (" + reason + "): " + detail,
        cause);
    this.group = group;
    this.reason = reason;
  }

  /** The group that was asked for. */
  public String group() {
    return group;
  }

  /** Why. */
  public UnavailableReason reason() {
    return reason;
  }
}
