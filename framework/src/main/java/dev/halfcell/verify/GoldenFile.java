package dev.halfcell.verify;

import dev.halfcell.data.SafeTensors;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * One file of golden vectors: tensors by name ({@code in.x}, {@code out}, {@code grad.x}, ...) and
 * the attributes that say what was computed.
 */
public final class GoldenFile {
  /** How the names of the files end. */
  public static final String SUFFIX = ".safetensors";

  private final Path path;
  private final SafeTensors contents;

  private GoldenFile(Path path, SafeTensors contents) {
    this.path = path;
    this.contents = contents;
  }

  /**
   * Reads a file into a scope.
   *
   * @throws DataException where it is no such file
   */
  public static GoldenFile read(Path path, TensorScope scope) {
    return new GoldenFile(path, SafeTensors.read(path, scope));
  }

  /** The name of the file, without its ending. */
  public String name() {
    String file = String.valueOf(path.getFileName());
    return file.endsWith(SUFFIX) ? file.substring(0, file.length() - SUFFIX.length()) : file;
  }

  /** The attribute of a name, where the file has it. */
  public Optional<String> attribute(String name) {
    return Optional.ofNullable(contents.metadata().get(name));
  }

  /** The names of all attributes. */
  public Set<String> attributes() {
    return new TreeSet<>(contents.metadata().keySet());
  }

  /** An attribute that the file has to have. */
  public String required(String name) {
    return attribute(name)
        .orElseThrow(() -> refusal("an attribute " + name, attributes().toString()));
  }

  /** An attribute that has to be a number. */
  public double number(String name) {
    String text = required(name);
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException _) {
      throw refusal("a number as attribute " + name, text);
    }
  }

  /** An attribute that has to be a whole number. */
  public int integer(String name) {
    double number = number(name);
    if (number != Math.rint(number) || Math.abs(number) > Integer.MAX_VALUE) {
      throw refusal("a whole number as attribute " + name, required(name));
    }
    return (int) number;
  }

  /** An attribute that has to be whole numbers with commas between them. */
  public List<Integer> integers(String name) {
    try {
      return Arrays.stream(required(name).split(",")).map(Integer::valueOf).toList();
    } catch (NumberFormatException _) {
      throw refusal("whole numbers as attribute " + name, required(name));
    }
  }

  /** Whether there is a tensor of this name. */
  public boolean has(String tensor) {
    return contents.tensors().containsKey(tensor);
  }

  /** The tensor of a name, which the file has to have. */
  public Tensor tensor(String name) {
    if (!has(name)) {
      throw refusal("a tensor " + name, contents.tensors().keySet().toString());
    }
    return contents.tensor(name);
  }

  /** The names of all tensors, in the order of the file. */
  public Set<String> tensors() {
    return contents.tensors().sequencedKeySet();
  }

  private DataException refusal(String expected, String got) {
    return new DataException(
        new Problem("golden vectors", path.toString(), expected, got, "Get the files anew."));
  }
}
