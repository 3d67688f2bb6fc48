package dev.halfcell.zoo.data;

import dev.halfcell.data.ChangedDataSet;
import dev.halfcell.data.DataSet;
import dev.halfcell.data.SampleChange;

/**
 * A data set, divided into what is trained on and what is tested on. Threads may share it.
 *
 * @param description what it is and where it was found, as reports are to say it
 */
public record DataSplit(String description, DataSet train, DataSet test) {
  /** With this done to each sample that is tested on. */
  public DataSplit testing(SampleChange change) {
    return new DataSplit(description, train, new ChangedDataSet(test, change));
  }
}
