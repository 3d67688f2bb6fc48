package dev.halfcell.zoo.job;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.Networks;
import dev.halfcell.zoo.Spelling;
import dev.halfcell.zoo.data.DataSetDefinition;
import dev.halfcell.zoo.data.FashionMnist;
import dev.halfcell.zoo.data.SyntheticData;
import java.util.List;
import java.util.stream.Stream;

/** The data sets of the zoo, by name. */
final class DataSets {
  /** What cells are trained on unless told otherwise. */
  static final String USUAL = FashionMnist.NAME;

  private DataSets() {}

  private static Stream<DataSetDefinition> all() {
    return Networks.all().stream().map(NetworkDefinition::data);
  }

  static DataSetDefinition named(String name) {
    return all()
        .filter(data -> data.name().equals(name))
        .findFirst()
        .orElseThrow(() -> unknown(name));
  }

  /**
   * Demands the name of a data set, or that of the one which stands in the place of any.
   *
   * @throws ArgumentException naming those that there are
   */
  static void require(String name) {
    if (!names().contains(name)) {
      throw unknown(name);
    }
  }

  private static List<String> names() {
    Stream<String> real = all().map(DataSetDefinition::name).distinct();
    return Stream.concat(real, Stream.of(SyntheticData.NAME)).toList();
  }

  private static ArgumentException unknown(String name) {
    return new ArgumentException(
        new Problem(
            Mistakes.SUBJECT,
            "",
            "one of " + String.join(", ", names()),
            "'" + Shown.text(name) + "'",
            Spelling.nearest(name, names()).map(near -> "Did you mean " + near + "?").orElse("")));
  }
}
