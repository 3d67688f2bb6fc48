package dev.halfcell.rest.service;

import dev.halfcell.amp.precision.Explanation;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.job.Assembly;
import dev.halfcell.zoo.job.JobSpecification;
import dev.halfcell.zoo.run.ExplanationJson;
import dev.halfcell.zoo.run.MemoryEstimate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** What would be trained, told without training it. Threads may share it. */
public final class Preview {
  private final Admission admission;

  /** One that counts by an admission. */
  public Preview(Admission admission) {
    this.admission = admission;
  }

  /**
   * How long a training would be.
   *
   * @param flops floating-point operations of a step, where it is compiled
   */
  public record Length(
      int epochs, long stepsPerEpoch, long totalSteps, int batchSize, OptionalLong flops) {}

  /** The precision plan. */
  public Explanation plan(JobSpecification resolved) {
    try {
      Assembly parts = new Assembly(resolved);
      NetworkDefinition definition = parts.network();
      int rows = parts.batchSize();
      List<TensorSpec> inputs =
          Stream.of(definition.sample(), TensorSpec.of(DType.INT64))
              .map(part -> part.as(part.shape().behind(rows)))
              .toList();
      return Explanation.of(
          definition.withLoss(), inputs, parts.level(), parts.options().precision());
    } catch (HalfCellException refusal) {
      throw RefusedException.invalid(refusal);
    }
  }

  /** The same as JSON, with what memory it takes. */
  public String planJson(JobSpecification resolved, MemoryEstimate memory) {
    return ExplanationJson.of(plan(resolved), Optional.of(memory), "", Optional.empty());
  }

  /** How many steps there would be. */
  public Length length(JobSpecification resolved) {
    Assembly parts = new Assembly(resolved);
    int samples = parts.network().data().size().train();
    int batch = parts.batchSize();
    int micro = resolved.training().accumulation().microBatches().orElse(1);
    long each = Math.ceilDiv(Math.ceilDiv(samples, batch), micro);
    int epochs = parts.epochs(samples);
    long all = parts.steps().isPresent() ? parts.steps().getAsInt() : each * epochs;
    Optional<PlanReport> compiled = admission.with(resolved, job -> job.planned());
    OptionalLong flops =
        compiled.map(report -> OptionalLong.of(report.flops())).orElse(OptionalLong.empty());
    return new Length(epochs, each, all, batch, flops);
  }
}
