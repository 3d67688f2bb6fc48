-- How often was committed. A file beside the database says it too: by the two it is seen when the
-- write-ahead log was lost or cut, which SQLite itself takes for a log that ends there.
CREATE TABLE commit_count (number INTEGER NOT NULL);
INSERT INTO commit_count (number) VALUES (0);
