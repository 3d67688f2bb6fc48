package dev.halfcell.rest.service;

import dev.halfcell.rest.job.Job;
import dev.halfcell.tensor.Shape;
import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.data.SampleImages;
import dev.halfcell.zoo.job.JobSpecification;
import java.util.List;

/**
 * What a job has trained, and how it is to be computed.
 *
 * @param file {@code model.safetensors}
 * @param network its network, with its data
 * @param specification how it is computed, with all defaults filled in
 * @param otherwise whether that is not as it was trained
 */
public record TrainedModel(
    Job job,
    Artifacts.Artifact file,
    NetworkDefinition network,
    JobSpecification specification,
    boolean otherwise) {
  /** The shapes [C, H, W] that a sample may have, the usual one first. */
  public List<Shape> shapes() {
    return SampleImages.shapes(network.sample());
  }
}
