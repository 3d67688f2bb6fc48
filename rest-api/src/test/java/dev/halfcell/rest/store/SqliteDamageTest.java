package dev.halfcell.rest.store;

import org.junit.jupiter.api.Test;

final class SqliteDamageTest {
  static final String NEWER =
      "INSERT INTO halfcell_schema_history (installed_rank, version, description, type, script,"
          + " checksum, installed_by, installed_on, execution_time, success) SELECT 99, '99',"
          + " 'later', 'SQL', 'V99__later.sql', 1, 'x', installed_on, 1, success"
          + " FROM halfcell_schema_history WHERE version = '1'";

  @Test
  void none() {}
}
