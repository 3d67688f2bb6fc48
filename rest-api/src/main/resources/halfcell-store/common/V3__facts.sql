-- What is so of a store as a whole, such as which folder has the files of its jobs.
CREATE TABLE fact (
  name TEXT NOT NULL PRIMARY KEY,
  content TEXT NOT NULL
);
