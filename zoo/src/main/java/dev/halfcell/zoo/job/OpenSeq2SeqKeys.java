package dev.halfcell.zoo.job;

import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.config.OpenSeq2Seq;
import dev.halfcell.amp.config.PrecisionSettings;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * OpenSeq2Seq's keys in place of the keys of precision: taken for what they mean here, as {@link
 * OpenSeq2Seq} says. The two spellings do not mix.
 */
final class OpenSeq2SeqKeys {
  private static final String PRECISION = "/precision";

  private OpenSeq2SeqKeys() {}

  /** The tree as it is; or with the keys of precision that mean the same. */
  static JsonNode translated(JsonNode tree, Mistakes mistakes) {
    if (!(tree instanceof ObjectNode job)
        || !(job.get("precision") instanceof ObjectNode precision)
        || OpenSeq2Seq.KEYS.stream().noneMatch(precision::has)) {
      return tree;
    }
    ObjectNode translated = job.deepCopy();
    translated.remove("precision");
    try {
      PrecisionSettings settings = OpenSeq2Seq.settings(map(precision));
      set(translated, settings, precision.has("iter_size"), mistakes);
    } catch (ArgumentException e) {
      refused(e, mistakes);
    }
    return translated;
  }

  /** What a key's value is refused for has the key as its place; what its record says has none. */
  private static void refused(ArgumentException refusal, Mistakes mistakes) {
    Problem problem = refusal.problem();
    if (problem.where().isEmpty()) {
      mistakes.at(
          PRECISION,
          () -> {
            throw refusal;
          });
    } else {
      String pointer = PRECISION + "/" + problem.where().replace('.', '/');
      mistakes.add(pointer, problem.expected(), problem.got(), problem.fix());
    }
  }

  /** A JSON schema of them, by name; what each may be is said by {@link OpenSeq2Seq} alone. */
  static ObjectNode schema() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode();
    schema.put("description", "The same in OpenSeq2Seq's spelling.").put("type", "object");
    ObjectNode properties = schema.putObject("properties");
    OpenSeq2Seq.KEYS.forEach(key -> properties.put(key, true));
    return schema.put("additionalProperties", false);
  }

  private static void set(
      ObjectNode job, PrecisionSettings settings, boolean accumulates, Mistakes mistakes) {
    AmpOptions options = settings.options();
    Overlay.set(job, PRECISION + "/level", settings.level());
    options
        .step()
        .lossScale()
        .ifPresent(
            rule -> Overlay.set(job, PRECISION + "/lossScale", LossScaleSpecification.of(rule)));
    options
        .precision()
        .parts()
        .dtypes()
        .forEach(
            (path, dtype) ->
                Overlay.set(job, Pointer.child(PRECISION + "/parts", path.text()), dtype));
    if (options.precision().numerics().halfParameters()) {
      Overlay.set(job, PRECISION + "/options/halfParameters", true);
      Overlay.set(job, PRECISION + "/options/acceptSwamping", true);
    }
    if (accumulates) {
      accumulate(job, options.step().accumulation().microBatches(), mistakes);
    }
  }

  private static void accumulate(ObjectNode job, int microBatches, Mistakes mistakes) {
    if (job.at("/training/accumulation").isMissingNode()) {
      Overlay.set(job, "/training/accumulation", Map.of("microBatches", microBatches));
    } else {
      String pointer = PRECISION + "/iter_size";
      mistakes.add(pointer, "no /training/accumulation beside it", "both", "Leave one out.");
    }
  }

  private static Map<String, Object> map(ObjectNode tree) {
    Map<String, Object> map = new LinkedHashMap<>();
    tree.forEachEntry((key, value) -> map.put(key, plain(value)));
    return map;
  }

  private static Object plain(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT -> map((ObjectNode) node);
      case NUMBER -> node.doubleValue();
      case STRING -> node.stringValue();
      case BOOLEAN -> node.booleanValue();
      case ARRAY, BINARY, MISSING, NULL, POJO -> node.toString();
    };
  }
}
