-- One row for each name that was ever used. Rows are never removed: a fence only rises. The columns
-- that a takeover changes are not in the key, so that renewing does not wait for transactions of the
-- owner, which lock the key.
CREATE TABLE {s}waymark_object (
  collection text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  placement text,                   -- the hint that it was first opened with
  own_schema text COLLATE "C" NOT NULL UNIQUE, -- where its tables are
  owner text,                       -- of the lease; null: given back
  fence bigint NOT NULL DEFAULT 0,  -- rises whenever the owner changes
  leased_until bigint NOT NULL DEFAULT 0, -- microseconds since 1970 by this server's clock
  PRIMARY KEY (collection, name)
);
