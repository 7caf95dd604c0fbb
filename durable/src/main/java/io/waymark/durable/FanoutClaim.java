package io.waymark.durable;

import java.util.List;

/** Rows of one target that this process may deliver until their lease ends; not empty. */
record FanoutClaim(long token, List<FanoutRow> rows) {}
