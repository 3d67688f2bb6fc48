package dev.halfcell.zoo.job;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is to be trained, and how: the same for Java, for files and for flags. What is left out is
 * the recipe's or the level's own; {@link #resolved} fills it in. A value; threads may share it.
 *
 * <pre>{@code
 * JobSpecification job =
 *     JobSpecification.of("lenet5")
 *         .with("/precision/level", "O2")
 *         .with("/training/epochs", 2)
 *         .with("/training/optimizer", Map.of("name", "adam", "learningRate", 0.001));
 * }</pre>
 *
 * @param name what people call the run
 * @param labels what they find it by
 * @param network what is trained
 * @param dataset what it is trained on
 * @param precision how much of it runs in 16 bits
 * @param training how long, and how parameters move
 * @param checkpoint when its state is saved
 * @param logs what its steps are written into beside its metrics
 * @param device what computes
 * @param resources what it may take of its machine
 */
public record JobSpecification(
    @Key(value = "What people call the run.", least = 1, most = 128) Optional<String> name,
    @Key(value = "What people find the run by.", most = 64) Map<String, String> labels,
    @Key("What is trained.") Optional<NetworkSpecification> network,
    @Key("What it is trained on.") DataSetSpecification dataset,
    @Key("How much of it runs in 16 bits.") PrecisionSpecification precision,
    @Key("How long, and how parameters move.") TrainingSpecification training,
    @Key("When its state is saved.") CheckpointSpecification checkpoint,
    @Key(
            value =
                "What its steps are written into beside metrics.jsonl: event files for TensorBoard,"
                    + " a table.",
            most = 2)
        List<LogFormat> logs,
    @Key(
            value = "What computes. auto is cpu; a GPU has to be named.",
            words = {"auto", "cpu", "gpu", "reference"})
        Optional<String> device,
    @Key("What it may take of its machine.") Resources resources,
    @Key(value = "Runs of a higher priority go first.", least = -100, most = 100)
        Optional<Integer> priority,
    @Key(value = "The most seconds that it may run.", least = 1) Optional<Integer> timeout,
    @Key(value = "The most seconds that it may wait.", least = 1) Optional<Integer> queueTimeout,
    @Key(value = "Seconds that it has to save its state when stopped.", least = 1, most = 3600)
        Optional<Integer> stopGraceSeconds,
    @Key(value = "How often it is started again where its machine fails.", least = 0, most = 100)
        Optional<Integer> retries) {
  private static final JobSpecification EMPTY = new ObjectTree().as(JobSpecification.class);

  public JobSpecification {
    name = name.map(Names::normal);
    network = network.filter(said -> said.name().isPresent() || !said.cells().isEmpty());
    logs = List.copyOf(logs);
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
  }

  /** Nothing is said yet. */
  public static JobSpecification empty() {
    return EMPTY;
  }

  /** A network of the zoo, trained by its recipe. */
  public static JobSpecification of(String network) {
    return EMPTY.with("/network", Map.of("name", network));
  }

  /**
   * What a JSON text says.
   *
   * @throws ArgumentException where it is none, or a key or value is wrong: with the pointer of the
   *     first, and what else is wrong
   */
  public static JobSpecification ofJson(String text) {
    return bound(StrictTree.ofJson(text));
  }

  /**
   * What a YAML text says.
   *
   * @throws ArgumentException as {@link #ofJson}
   */
  public static JobSpecification ofYaml(String text) {
    return bound(StrictTree.ofYaml(text));
  }

  /**
   * What a file says: JSON where its name ends in {@code .json}, YAML where in {@code .yaml} or
   * {@code .yml}; else JSON where its text begins with a brace.
   *
   * @throws DataException where it cannot be read
   * @throws ArgumentException where there is none, and as {@link #ofJson}
   */
  public static JobSpecification read(Path file) {
    String text = text(file);
    String name = file.toString();
    boolean yaml = name.endsWith(".yaml") || name.endsWith(".yml");
    boolean json = name.endsWith(".json") || (!yaml && text.stripLeading().startsWith("{"));
    return json ? ofJson(text) : ofYaml(text);
  }

  private static String text(Path file) {
    try {
      if (!Files.exists(file)) {
        throw new ArgumentException(problem(file, "none of that name"));
      }
      if (!Files.isRegularFile(file)) {
        throw unreadable(file, "something else", null);
      }
      if (Files.size(file) > StrictTree.LONGEST) {
        throw unreadable(file, Files.size(file) + " bytes, at most " + StrictTree.LONGEST, null);
      }
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw unreadable(file, "bytes that are no UTF-8", e);
    } catch (IOException e) {
      throw unreadable(file, e.getClass().getSimpleName() + ": " + e.getMessage(), e);
    }
  }

  private static JobSpecification bound(JsonNode tree) {
    Mistakes mistakes = new Mistakes();
    Optional<JobSpecification> read = read(tree, mistakes);
    mistakes.require();
    return read.orElseThrow();
  }

  private static Optional<JobSpecification> read(JsonNode tree, Mistakes mistakes) {
    JsonNode house = OpenSeq2SeqKeys.translated(tree, mistakes);
    Optional<JobSpecification> read =
        new RecordReader(mistakes).read(JobSpecification.class, house, "");
    read.ifPresent(specification -> Names.check(specification, mistakes));
    return read;
  }

  /** All that is wrong with a JSON text, {@link #resolved} included; nothing where all is well. */
  public static List<Problem> problems(String json) {
    List<Problem> problems = new ArrayList<>();
    var _ = check(json, _ -> Optional.empty(), problems::addAll);
    return problems;
  }

  /**
   * What a JSON text says, and what that comes to: {@link #ofJson} and {@link #resolved} at once.
   *
   * @param known what a specification that was read comes to, where that is known already
   * @param wrong is told all that is wrong
   * @return none where something is
   */
  public static Optional<CheckedSpecification> check(
      String json,
      Function<JobSpecification, Optional<JobSpecification>> known,
      Consumer<List<Problem>> wrong) {
    Mistakes mistakes = new Mistakes();
    try {
      Optional<CheckedSpecification> checked =
          read(StrictTree.ofJson(json), mistakes)
              .filter(_ -> mistakes.none())
              .flatMap(
                  said ->
                      known
                          .apply(said)
                          .or(() -> new Resolution(said, mistakes).resolved())
                          .map(resolved -> new CheckedSpecification(said, resolved)));
      if (checked.isEmpty()) {
        wrong.accept(mistakes.all());
      }
      return checked;
    } catch (ArgumentException e) {
      wrong.accept(List.of(e.problem()));
      return Optional.empty();
    }
  }

  /**
   * With another value at a key, whatever stood there.
   *
   * @param pointer a JSON pointer, such as {@code /training/epochs}
   * @param value a text, number or truth; a list or map of the same; an empty map to unsay it
   * @throws ArgumentException where there is no such key, or the value is wrong
   */
  public JobSpecification with(String pointer, Object value) {
    return bound(Overlay.set(RecordWriter.tree(this), pointer, value));
  }

  /** With other values at these keys, all of them read at once. */
  JobSpecification with(Map<String, Object> values) {
    ObjectNode tree = RecordWriter.tree(this);
    values.forEach((pointer, value) -> Overlay.set(tree, pointer, value));
    return bound(tree);
  }

  /** Whether anything is said at a key or below it. */
  public boolean says(String pointer) {
    return !RecordWriter.tree(this).at(pointer).isMissingNode();
  }

  /** All that is said, each value by its pointer, as JSON writes it; those of lists one by one. */
  public Map<String, String> said() {
    return Leaves.of(RecordWriter.tree(this));
  }

  /**
   * What a specification may say, as a JSON schema (draft 2020-12) for editors and other programs:
   * keys, types, bounds and words. How keys depend on each other is for {@link #problems} alone.
   */
  public static String schema() {
    return StrictTree.text(SchemaWriter.schema(JobSpecification.class, "A run of HalfCell"));
  }

  /** As JSON that {@link #ofJson} reads: what was said and nothing else. */
  public String json() {
    return StrictTree.text(RecordWriter.tree(this));
  }

  /**
   * With all defaults filled in: a pure function of this, and the same again of what it gives. A
   * key that is still left out then means that there is none.
   *
   * @throws ArgumentException where what is said does not fit together, or to the network
   */
  public JobSpecification resolved() {
    // What Java put together is held to what files are held to.
    JobSpecification checked = bound(RecordWriter.tree(this));
    Mistakes mistakes = new Mistakes();
    Optional<JobSpecification> resolved = new Resolution(checked, mistakes).resolved();
    mistakes.require();
    return resolved.orElseThrow();
  }

  private static DataException unreadable(Path file, String got, @Nullable Exception cause) {
    Problem problem = problem(file, got);
    return cause == null ? new DataException(problem) : new DataException(problem, cause);
  }

  private static Problem problem(Path file, String got) {
    return new Problem(
        Mistakes.SUBJECT, Shown.sentence(file.toString()), "a JSON or YAML file", got, "");
  }
}
