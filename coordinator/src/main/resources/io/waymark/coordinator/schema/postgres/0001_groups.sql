-- Who this database is to readers, and under which epoch it issues stamps. One row.
CREATE TABLE {s}waymark_topology_authority (
  one integer PRIMARY KEY CHECK (one = 1),
  authority text NOT NULL,
  epoch bigint NOT NULL,
  history text NOT NULL             -- which history of which database the epoch belongs to
);

-- One row for each group that ever was: versions go on counting when it is deleted.
CREATE TABLE {s}waymark_topology_group (
  name text COLLATE "C" PRIMARY KEY,
  epoch bigint NOT NULL,            -- under which the version was issued
  version bigint NOT NULL,          -- counts the changes of members
  changes bigint NOT NULL,          -- counts all changes; what commits compare
  deleted integer NOT NULL,
  takes_over integer NOT NULL,      -- may replace what another authority published
  members integer NOT NULL,
  joining integer NOT NULL,
  last_update text NOT NULL         -- which call made the last change
) WITH (fillfactor = 80);

CREATE INDEX waymark_topology_group_epoch ON {s}waymark_topology_group (epoch, name);

CREATE INDEX waymark_topology_group_joining ON {s}waymark_topology_group (name) WHERE joining > 0;

CREATE TABLE {s}waymark_topology_member (
  group_name text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  place integer NOT NULL,           -- orders the members of a group; has gaps
  state text NOT NULL,
  attributes text NOT NULL,         -- a JSON object of texts
  empty_since bigint,               -- when it first reported itself empty, in microseconds
  PRIMARY KEY (group_name, id)
);

-- The values that the members of a group must hold.
CREATE TABLE {s}waymark_topology_state (
  group_name text COLLATE "C" NOT NULL,
  channel text COLLATE "C" NOT NULL,
  role text NOT NULL,
  value text NOT NULL,              -- canonical JSON
  set_at bigint NOT NULL,           -- the group's changes when it was set
  PRIMARY KEY (group_name, channel)
);

-- Writes to a store that cannot compare stamps, for as long as they may still land.
CREATE TABLE {s}waymark_topology_write (
  group_name text COLLATE "C" NOT NULL,
  id text NOT NULL,
  lands_until bigint NOT NULL,
  PRIMARY KEY (group_name, id)
);
