CREATE TABLE {s}waymark_fanout (
  id integer PRIMARY KEY,
  name text NOT NULL UNIQUE
);

-- Targets that were ever configured. A row stays, since work may be left for it.
CREATE TABLE {s}waymark_fanout_target (
  id integer PRIMARY KEY,
  fanout integer NOT NULL,
  name text NOT NULL,
  UNIQUE (fanout, name)
);

-- What was accepted and is not settled by all its targets. Times are microseconds since 1970.
CREATE TABLE {s}waymark_fanout_message (
  seq integer PRIMARY KEY AUTOINCREMENT,
  fanout integer NOT NULL,
  dedup_key text NOT NULL,
  remaining integer NOT NULL,       -- targets that have not settled it
  accepted_at integer NOT NULL,
  generation text NOT NULL,         -- of this acceptance, unlike any other
  message_id text NOT NULL,
  targets text NOT NULL,            -- their numbers, in order
  body text NOT NULL,
  UNIQUE (fanout, dedup_key)
);

-- One row for each message and target that is not settled.
CREATE TABLE {s}waymark_fanout_delivery (
  seq integer PRIMARY KEY AUTOINCREMENT,
  target integer NOT NULL,
  phase integer NOT NULL,           -- 0: not attempted yet, 1: attempted, 2: meant for the dead letters
  due_at integer NOT NULL,          -- when to look at the row again: next attempt, or end of the lease
  message integer NOT NULL,
  attempts integer NOT NULL,
  claim_owner text,
  claim_token integer,
  dead_at integer,
  dead_reason text,
  last_error text
);

-- What is due next at a target; the row's number comes last in it by itself.
CREATE INDEX waymark_fanout_due ON {s}waymark_fanout_delivery (target, phase, due_at);

-- How many rows a target has: the sum of all its rows here.
CREATE TABLE {s}waymark_fanout_backlog (
  id integer PRIMARY KEY,
  target integer NOT NULL,
  pending integer NOT NULL
);

CREATE INDEX waymark_fanout_backlog_target ON {s}waymark_fanout_backlog (target);
