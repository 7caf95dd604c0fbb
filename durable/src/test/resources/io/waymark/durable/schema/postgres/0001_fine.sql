CREATE TABLE {s}fine (id integer PRIMARY KEY);
