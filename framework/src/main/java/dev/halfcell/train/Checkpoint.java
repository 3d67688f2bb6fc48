package dev.halfcell.train;

import dev.halfcell.backend.Variable;
import dev.halfcell.data.SafeTensors;
import dev.halfcell.disk.Disk;
import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.TensorScope;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The whole state of a run as a safetensors file: parameters, statistics, optimizer slots, counters
 * and the loss scale, each under its kind and path, such as {@code slot:/conv1/weight/velocity},
 * and the seed. Every bit of it is under a checksum.
 */
public final class Checkpoint {
  static final FileFormat FORMAT = new FileFormat("halfcell-checkpoint", 1);

  /** The note with the seed. */
  public static final String SEED = "seed";

  private static final NamedValues VALUES =
      new NamedValues("Checkpoint", _ -> true, false, Checkpoint::name);

  private Checkpoint() {}

  /** Writes all values of {@code state}. */
  public static void write(TrainState state, Path file) {
    write(state, Map.of(), Disk.local(), file);
  }

  /** The same with notes of other names than {@code format} and {@code seed}, on that disk. */
  public static void write(TrainState state, Map<String, String> notes, Disk disk, Path file) {
    Map<String, String> all = new HashMap<>(notes);
    all.put(FileFormat.NOTE, FORMAT.text());
    all.put(SEED, String.valueOf(state.seed()));
    VALUES.write(state, disk, file, all);
  }

  /**
   * Reads them into {@code state}, all or none. The state has to be of the same network and
   * optimizer; its seed stays its own.
   *
   * @throws dev.halfcell.tensor.DataException where the file is damaged or has not just the values
   *     of this state, with all differences
   */
  public static void read(TrainState state, Path file) {
    try (TensorScope scope = TensorScope.open()) {
      SafeTensors contents = SafeTensors.readChecked(Disk.local(), file, scope);
      requireFormat(contents, file);
      read(state, contents, file, new Differences());
    }
  }

  /**
   * Refuses contents that are no checkpoint.
   *
   * @throws dev.halfcell.tensor.DataException with the format that the file has
   */
  public static void requireFormat(SafeTensors contents, Path file) {
    FORMAT.require(contents, file);
  }

  /** The same of contents that were read and required, with differences found until now. */
  public static void read(
      TrainState state, SafeTensors contents, Path file, Differences differences) {
    VALUES.read(state, contents, file, differences);
  }

  private static String name(Variable variable) {
    return prefix(variable.kind()) + variable.path().text();
  }

  private static String prefix(Variable.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT) + ":";
  }

  /**
   * The variable of a name in such a file.
   *
   * @throws DataException where it is no variable's name
   */
  static Variable variable(String name, Path file) {
    return Arrays.stream(Variable.Kind.values())
        .filter(kind -> name.startsWith(prefix(kind)) && name.length() > prefix(kind).length())
        .findFirst()
        .map(kind -> new Variable(kind, new CellPath(name.substring(prefix(kind).length()))))
        .orElseThrow(
            () ->
                new DataException(
                    new Problem(
                        "Checkpoint",
                        file.toString(),
                        "tensors named by kind and path, such as parameter:/conv1/weight",
                        "'" + name + "'",
                        "Take a checkpoint that HalfCell wrote.")));
  }
}
