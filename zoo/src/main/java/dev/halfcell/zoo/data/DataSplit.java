package dev.halfcell.zoo.data;

import dev.halfcell.data.ChangedDataSet;
import dev.halfcell.data.DataSet;
import dev.halfcell.data.SampleChange;
import java.util.Optional;

/**
 * A data set, divided into what is trained on and what is tested on. Threads may share it.
 *
 * @param description what it is and where it was found, as reports are to say it
 * @param place where it was found, as {@link DataSetDefinition#open} takes it: the absolute name of
 *     a folder, or {@code embedded}; none where it is made and not read
 */
public record DataSplit(String description, Optional<String> place, DataSet train, DataSet test) {
  /** One that is made and not read. */
  public DataSplit(String description, DataSet train, DataSet test) {
    this(description, Optional.empty(), train, test);
  }

  /** With this done to each sample that is tested on. */
  public DataSplit testing(SampleChange change) {
    return new DataSplit(description, place, train, new ChangedDataSet(test, change));
  }
}
