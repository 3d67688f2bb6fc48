-- Columns are what is looked for, sorted or counted. What a job says of itself is one JSON text with
-- a checksum before it; texts that lists do not read lie in tables of their own. Times are
-- nanoseconds since 1970.
CREATE TABLE job (
  id TEXT NOT NULL PRIMARY KEY,
  owner TEXT NOT NULL,
  external_id TEXT,
  state TEXT NOT NULL,
  queue_rank INTEGER NOT NULL, -- minus the priority: the queue is in the order of this, ascending
  network TEXT NOT NULL,
  level TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  server TEXT,
  lease_until BIGINT,
  first_event BIGINT NOT NULL,
  last_event BIGINT NOT NULL,
  summary TEXT NOT NULL,
  outcome TEXT,
  UNIQUE (owner, external_id)
);

CREATE INDEX job_by_age ON job (created_at, id);
CREATE INDEX job_by_rank ON job (queue_rank, created_at, id);
CREATE INDEX job_by_owner ON job (owner, state, created_at, id);
CREATE INDEX job_by_state ON job (state, queue_rank, created_at, id, owner);

CREATE TABLE specification (
  job_id TEXT NOT NULL PRIMARY KEY REFERENCES job (id) ON DELETE CASCADE,
  sent TEXT NOT NULL,
  resolved TEXT NOT NULL
);

CREATE TABLE label (
  job_id TEXT NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (job_id, name)
);

CREATE INDEX label_by_name ON label (name, content, job_id);

CREATE TABLE attempt (
  job_id TEXT NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (job_id, number)
);

CREATE TABLE event (
  job_id TEXT NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  number BIGINT NOT NULL,
  attempt INTEGER NOT NULL,
  happened_at BIGINT NOT NULL,
  kind TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (job_id, number)
);

CREATE TABLE idempotency_key (
  owner TEXT NOT NULL,
  key_text TEXT NOT NULL,
  request TEXT NOT NULL,
  job_id TEXT NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (owner, key_text)
);

CREATE INDEX idempotency_key_by_age ON idempotency_key (created_at);
CREATE INDEX idempotency_key_by_job ON idempotency_key (job_id);
