package dev.halfcell.amp.precision;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A precision for all of a network, under the names of Keras and jmp. A value that is passed where
 * a network is built; there is no global one to set.
 *
 * <p>In half a network follows O2, so that normalisations, softmax and losses keep FP32 where Keras
 * and jmp leave that to each layer. Outputs are FP32 at every level, and parameters unless {@link
 * PrecisionOptions#halfParameters} is asked for; what there is not is an error.
 *
 * <p>Source: Keras, {@code keras.mixed_precision.Policy}; DeepMind, {@code jmp.get_policy}.
 *
 * @param parameters what parameters are kept in
 * @param compute what the network computes in
 * @param output what its output leaves in
 */
public record Policy(DType parameters, DType compute, DType output) {
  public Policy {
    ArgumentException.require(
        compute == DType.FP32 || compute.half(),
        "policy",
        "a network that computes in fp32, fp16 or bf16",
        compute.label());
    if (parameters != DType.FP32) {
      throw refused(
          "parameters in fp32",
          "p=" + parameters.label(),
          "To keep them in half, ask for halfParameters(true) beside the policy.");
    }
    if (output != DType.FP32) {
      throw refused(
          "an output in fp32, as at every level",
          "o=" + output.label(),
          "Say o=f32, and cast what leaves where half is wanted.");
    }
  }

  private static ArgumentException refused(String expected, String got, String fix) {
    return new ArgumentException(new Problem("policy", "", expected, got, fix));
  }

  /** FP32 throughout. */
  public static Policy float32() {
    return new Policy(DType.FP32, DType.FP32, DType.FP32);
  }

  /** FP16, with FP32 parameters. */
  public static Policy mixedFloat16() {
    return new Policy(DType.FP32, DType.FP16, DType.FP32);
  }

  /** BF16, with FP32 parameters. */
  public static Policy mixedBfloat16() {
    return new Policy(DType.FP32, DType.BF16, DType.FP32);
  }

  /**
   * A policy by its Keras name, {@code mixed_float16}, {@code mixed_bfloat16} or {@code float32},
   * or in jmp's form, {@code p=f32,c=f16,o=f32}. As there, parameters that are left out are f32,
   * computing that is left out is as parameters, and an output that is left out is as computing.
   */
  public static Policy of(String text) {
    return switch (text) {
      case "float32" -> float32();
      case "mixed_float16" -> mixedFloat16();
      case "mixed_bfloat16" -> mixedBfloat16();
      default -> parsed(text);
    };
  }

  private static Policy parsed(String text) {
    if (!text.contains("=")) {
      DType all = dtype(text, text);
      return new Policy(all, all, all);
    }
    Map<String, DType> said = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      String[] sides = part.strip().split("=", -1);
      if (sides.length != 2
          || said.put(key(sides[0].strip(), text), dtype(sides[1].strip(), text)) != null) {
        throw unknown(text);
      }
    }
    DType parameters = Optional.ofNullable(said.get("p")).orElse(DType.FP32);
    DType compute = Optional.ofNullable(said.get("c")).orElse(parameters);
    DType output = Optional.ofNullable(said.get("o")).orElse(compute);
    return new Policy(parameters, compute, output);
  }

  private static String key(String name, String text) {
    return switch (name) {
      case "p", "params" -> "p";
      case "c", "compute" -> "c";
      case "o", "output" -> "o";
      default -> throw unknown(text);
    };
  }

  private static DType dtype(String name, String text) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "f32", "float32", "full" -> DType.FP32;
      case "f16", "float16", "half" -> DType.FP16;
      case "bf16", "bfloat16" -> DType.BF16;
      default -> throw unknown(text);
    };
  }

  private static ArgumentException unknown(String text) {
    return refused(
        "mixed_float16, mixed_bfloat16, float32, or p=, c= and o= of f32, f16 or bf16",
        "'" + text + "'",
        "For example: p=f32,c=f16,o=f32.");
  }

  /** The level that a network of this policy is built at. */
  public Level level() {
    return compute.half() ? Level.O2 : Level.O0;
  }

  /** These options with the policy's half; where they ask for the other half, that is an error. */
  public PrecisionOptions on(PrecisionOptions options) {
    if (!compute.half()) {
      return options;
    }
    Optional<DType> asked = options.halfAsked();
    if (asked.isPresent() && asked.get() != compute) {
      throw refused(
          "half as the policy has it, " + compute.label(),
          "half(" + asked.get().label() + ")",
          "Leave half out of the options.");
    }
    return options.half(compute);
  }
}
