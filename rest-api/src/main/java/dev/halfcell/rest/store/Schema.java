package dev.halfcell.rest.store;

import dev.halfcell.tensor.Problem;
import java.util.Arrays;
import java.util.Optional;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.MigrationVersion;

/** The tables, and the steps by which those of an older HalfCell become those of this one. */
final class Schema {
  static final String HISTORY = "halfcell_schema_history";

  private final Flyway flyway;
  private final String where;

  /**
   * That of a database.
   *
   * @param where which, for messages
   * @param folders of the steps
   */
  Schema(DataSource source, String where, String... folders) {
    this.where = where;
    this.flyway =
        Flyway.configure(Schema.class.getClassLoader())
            .dataSource(source)
            .table(HISTORY)
            .loggers(QuietLog.class.getName())
            .validateMigrationNaming(true)
            .locations(
                Arrays.stream(folders)
                    .map(folder -> "classpath:halfcell-store/" + folder)
                    .toArray(String[]::new))
            .load();
  }

  /** Throws where a newer HalfCell has been here; writes nothing. */
  void refuseNewer() {
    MigrationInfo[] steps;
    try {
      steps = flyway.info().all();
    } catch (RuntimeException e) {
      throw unusable(e);
    }
    Optional<MigrationVersion> newer =
        Arrays.stream(steps)
            .filter(
                step ->
                    step.getState() == MigrationState.FUTURE_SUCCESS
                        || step.getState() == MigrationState.FUTURE_FAILED)
            .map(MigrationInfo::getVersion)
            .findFirst();
    if (newer.isPresent()) {
      throw new StoreException(
          new Problem(
              "job store",
              where,
              "tables that this HalfCell knows",
              "those of version " + newer.get() + ", which a newer one made",
              "Start the newer HalfCell, or name another store."));
    }
  }

  /** Makes the tables or brings them up to date. */
  void migrate() {
    try {
      flyway.migrate();
    } catch (RuntimeException e) {
      throw unusable(e);
    }
  }

  /** Flyway trusts its history: where that is damaged it may throw anything. */
  private StoreException unusable(RuntimeException e) {
    String got =
        e instanceof FlywayException
            ? String.valueOf(e.getMessage()).strip().lines().findFirst().orElse("another")
            : "one whose history of tables cannot be read (" + e + ")";
    return new StoreException(
        new Problem(
            "job store",
            where,
            "an empty database, or one that HalfCell made",
            got,
            "Name another store; this one was left as it is."),
        e);
  }
}
