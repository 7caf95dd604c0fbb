-- A table; with a semicolon; in a comment.
CREATE TABLE {s}things (id integer PRIMARY KEY, name text NOT NULL);
