-- Whose file this is: one row.
CREATE TABLE waymark_object (
  one integer PRIMARY KEY CHECK (one = 1),
  name text NOT NULL,
  placement text                    -- the hint that it was first opened with
);
