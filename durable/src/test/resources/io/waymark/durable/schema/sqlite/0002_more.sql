ALTER TABLE {s}things ADD COLUMN weight integer NOT NULL DEFAULT 0;

UPDATE {s}things SET weight = 7;
