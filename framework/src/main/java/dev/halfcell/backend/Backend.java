package dev.halfcell.backend;

import dev.halfcell.op.Executor;
import dev.halfcell.op.Op;
import dev.halfcell.op.precision.WithPartials;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What computes: each op by itself, or a whole recorded step as a plan. Backends are found by
 * {@link java.util.ServiceLoader} through a {@link BackendProvider}. Threads may share a backend.
 */
public interface Backend extends AutoCloseable {
  /** The name users choose it by: {@code reference}, {@code cpu}, {@code gpu}. */
  String name();

  /** What it computes in here. */
  Capabilities capabilities();

  /**
   * Whether it computes an op on inputs of these specs, which the op takes. What it does not offer
   * it refuses with a {@link dev.halfcell.tensor.UsageException}, when the op is to run alone and
   * when a plan with it is compiled.
   */
  default boolean offers(Op op, List<TensorSpec> in) {
    return !(op instanceof WithPartials sum) || capabilities().partials().contains(sum.dtype());
  }

  /**
   * The versions of the libraries that it computes with and what it computes on, by name, for
   * reports: {@code onednn}, {@code gpu}. None where it needs none.
   */
  default Map<String, String> versions() {
    return Map.of();
  }

  /**
   * What it has to do in another way than it was to, such as without a library that is absent or
   * broken, a line for each; the numbers are as good. It grows while the backend is used.
   */
  default List<String> notices() {
    return List.of();
  }

  /** How many threads compute, on which the bits of a result may depend. */
  default int threads() {
    return 1;
  }

  /**
   * The bytes of memory that it has for itself, in which its plans lie and a copy of each variable
   * that they use; none where it computes in the machine's memory.
   */
  default OptionalLong ownMemory() {
    return OptionalLong.empty();
  }

  /**
   * Runs ops one by one, as a rank of its own; what they yield is owned by {@code scope}. Several
   * ranks put a {@link CollectiveExecutor} before it.
   */
  Executor eager(TensorScope scope);

  /** Compiles a recorded step and binds it to the variables of a state. */
  Plan compile(Graph graph, Variables state, PlanOptions options, Collective collective);

  /** Whether its plans tell when their tasks end. */
  default boolean watchesTasks() {
    return false;
  }

  /**
   * What the plan of a recorded step would take, without the memory for it: neither that of the
   * plan nor that of the variables, which need not exist.
   */
  PlanReport measure(Graph graph, PlanOptions options);

  /** Gives back threads and native memory. Plans that were compiled here cannot run afterwards. */
  @Override
  void close();
}
