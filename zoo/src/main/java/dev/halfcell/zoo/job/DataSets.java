package dev.halfcell.zoo.job;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.Networks;
import dev.halfcell.zoo.Spelling;
import dev.halfcell.zoo.data.DataSetDefinition;
import dev.halfcell.zoo.data.FashionMnist;
import java.util.List;

/** The data sets of the zoo, by name. */
final class DataSets {
  /** What cells are trained on unless told otherwise. */
  static final String USUAL = FashionMnist.NAME;

  private DataSets() {}

  static DataSetDefinition named(String name) {
    List<DataSetDefinition> all =
        Networks.all().stream().map(NetworkDefinition::data).distinct().toList();
    List<String> names = all.stream().map(DataSetDefinition::name).distinct().toList();
    return all.stream()
        .filter(data -> data.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new ArgumentException(
                    new Problem(
                        Mistakes.SUBJECT,
                        "",
                        "one of " + String.join(", ", names),
                        "'" + Shown.text(name) + "'",
                        Spelling.nearest(name, names)
                            .map(near -> "Did you mean " + near + "?")
                            .orElse(""))));
  }
}
