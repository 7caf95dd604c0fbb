CREATE TABLE {s}waymark_fanout (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE
);

-- Targets that were ever configured. A row stays, since work may be left for it.
CREATE TABLE {s}waymark_fanout_target (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  fanout bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  UNIQUE (fanout, name)
);

-- What was accepted and is not settled by all its targets. Times are microseconds since 1970 by this
-- server's clock.
CREATE TABLE {s}waymark_fanout_message (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  fanout bigint NOT NULL,
  remaining integer NOT NULL,       -- targets that have not settled it
  accepted_at bigint NOT NULL,
  dedup_key text COLLATE "C" NOT NULL,
  generation text NOT NULL,         -- of this acceptance, unlike any other
  message_id text NOT NULL,
  targets text NOT NULL,            -- their numbers, in order
  body text NOT NULL,
  UNIQUE (fanout, dedup_key)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- One row for each message and target that is not settled.
CREATE TABLE {s}waymark_fanout_delivery (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  target bigint NOT NULL,
  due_at bigint NOT NULL,           -- when to look at the row again: next attempt, or end of the lease
  message bigint NOT NULL,
  phase integer NOT NULL,           -- 0: not attempted yet, 1: attempted, 2: meant for the dead letters
  attempts integer NOT NULL,
  claim_token bigint,
  claim_owner text,
  dead_at bigint,
  dead_reason text,
  last_error text
) WITH (autovacuum_vacuum_scale_factor = 0.05);

-- What is due next at a target.
CREATE INDEX waymark_fanout_due ON {s}waymark_fanout_delivery (target, phase, due_at, seq);

-- How many rows a target has: the sum of all its rows here. Several, so that nobody waits for
-- somebody else's transaction to count.
CREATE TABLE {s}waymark_fanout_backlog (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  target bigint NOT NULL,
  pending bigint NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX waymark_fanout_backlog_target ON {s}waymark_fanout_backlog (target);
