-- Until when a job may stand in the queue, where it says; means nothing in another state. Empty for
-- jobs of before, which wait as long as it takes.
ALTER TABLE job ADD COLUMN wait_until BIGINT;
CREATE INDEX job_by_wait ON job (state, wait_until);
