package io.waymark.durable;

import java.io.Serial;

/**
 * A message was to be settled a second time, after its time had run out, or by somebody whose claim
 * another has taken over. Nothing was done; the message names the outcome that holds.
 */
public final class FanoutSettlementException extends DurableStoreException {
  @Serial private static final long serialVersionUID = 1;

  FanoutSettlementException(String message) {
    super(StoreError.SETTLED, message);
  }
}
