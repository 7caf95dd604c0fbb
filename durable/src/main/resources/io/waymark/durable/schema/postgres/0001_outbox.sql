-- Versions come from here and never go back, not even when a row is removed. A session must not
-- draw some in advance: it would hand out old ones later.
CREATE SEQUENCE {s}waymark_outbox_version CACHE 1;

-- One row for each key of a channel. Times are microseconds since 1970 by this server's clock.
-- Columns that are never null and of fixed width stand first, so that the server finds the key, and
-- them, without walking over the others.
CREATE TABLE {s}waymark_outbox (
  version bigint NOT NULL,
  staged_at bigint NOT NULL,
  delivered_version bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  channel text COLLATE "C" NOT NULL,
  item_key text COLLATE "C" NOT NULL,
  due_at bigint,                    -- when to look at the row again: next attempt, or end of the lease; null: never
  payload text,                     -- null: nothing is pending
  attempted_at bigint,
  claim_token bigint,
  settled_at bigint,                -- when the row came to have nothing pending
  claim_owner text,
  last_error text,
  PRIMARY KEY (channel, item_key)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- What is due next in a channel, and what has been settled for longest. One index for both, and no
-- predicate: each index, and each predicate, costs whoever stages.
CREATE INDEX waymark_outbox_due ON {s}waymark_outbox (channel, due_at, settled_at);
