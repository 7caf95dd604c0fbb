-- Versions come from here and never go back, not even when a row is removed.
CREATE TABLE {s}waymark_outbox_version (value integer NOT NULL);

INSERT INTO {s}waymark_outbox_version VALUES (0);

-- One row for each key of a channel. Times are microseconds since 1970 by the store's clock.
CREATE TABLE {s}waymark_outbox (
  channel text NOT NULL,
  item_key text NOT NULL,
  version integer NOT NULL,
  payload text,                     -- null: nothing is pending
  staged_at integer NOT NULL,
  due_at integer,                   -- when to look at the row again: next attempt, or end of the lease; null: never
  attempts integer NOT NULL DEFAULT 0,
  attempted_at integer,
  claim_owner text,
  claim_token integer,
  delivered_version integer NOT NULL DEFAULT 0,
  settled_at integer,               -- when the row came to have nothing pending
  last_error text,
  PRIMARY KEY (channel, item_key)
);

-- What is due next in a channel, and what has been settled for longest.
CREATE INDEX waymark_outbox_due ON {s}waymark_outbox (channel, due_at, settled_at);
