package dev.halfcell.zoo.run;

import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.backend.SavedActivations;
import dev.halfcell.backend.Variable;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.Execution;
import dev.halfcell.train.Inference;
import dev.halfcell.zoo.data.DataSetDefinition;
import dev.halfcell.zoo.host.JavaOptions;
import dev.halfcell.zoo.run.MemoryEstimate.Largest;
import dev.halfcell.zoo.run.MemoryEstimate.OnDevice;
import dev.halfcell.zoo.run.MemoryEstimate.Part;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Counts what a run will hold, from its graphs and their plans, on a state of promises.
 *
 * @param train the train cell on that state
 * @param samples how many there are of each kind, and what they take themselves
 */
record MemoryCount(TrainingJob job, TrainStepCell train, DataSetDefinition.Size samples) {
  /**
   * The program itself: Java and its classes, its heap, compiled code and threads, oneDNN and what
   * it keeps. Measured, as is {@link #KERNEL}: what the other parts leave of the peak resident sets
   * of LeNet-5, ResNet-20, ResNet-56 and the vision transformer (42, 242, 638 and 266 kernels) at
   * O2 in BF16, with HalfCell's own options for Java.
   */
  static final long PROGRAM = 184L << 20;

  /** What is mapped besides where Java was started with what it learned: measured on LeNet-5. */
  private static final long LEARNED = 32L << 20;

  /**
   * A kernel of a plan: its objects in Java, and oneDNN's for it, with the code that it generates.
   * Measured: what is left grows by 21 to 29 KiB a kernel between the ResNets, by more to the
   * transformer, whose products have more code. What kernels work in is counted by the backend.
   */
  static final long KERNEL = 32L << 10;

  /**
   * What the driver of a device with memory of its own and its libraries take of the machine's. An
   * allowance: no such device has said yet.
   */
  private static final long DRIVER = 1L << 30;

  /** What a result takes in FP32 beside one in half. */
  private static final int WIDENED = 2;

  /** Copies of inputs that such a device reads: one while the next is filled. */
  private static final int STAGED = 2;

  /**
   * What a step takes.
   *
   * @param computing where it is computed
   * @param beside in the machine's memory, wherever it is computed
   */
  private record Step(List<Part> computing, List<Part> beside) {}

  MemoryEstimate estimate() {
    Graph graph = train.loop().trace(signature(job.length().batchSize()));
    Step step = step(graph);
    List<Part> state = stateParts();
    List<Part> computing = new ArrayList<>(step.computing());
    computing.add(new Part("evaluation", evaluation()));
    List<Part> program = new ArrayList<>(step.beside());
    program.add(new Part("batches", batches()));
    program.add(new Part("data", samples.bytes()));
    program.add(new Part("program", program()));
    if (onDevice()) {
      program.add(new Part("driver", DRIVER));
      program.add(new Part("staging", staging()));
    }
    return placed(state, computing, program, largest(graph));
  }

  /** Variables are on both sides; what is computed is where it is computed. */
  private MemoryEstimate placed(
      List<Part> state, List<Part> computing, List<Part> program, Largest largest) {
    List<Part> all = joined(state, computing);
    return backend().ownMemory().isEmpty()
        ? new MemoryEstimate(joined(all, program), Optional.empty(), largest)
        : new MemoryEstimate(
            joined(state, program),
            Optional.of(new OnDevice(backend().name(), all, backend().ownMemory().getAsLong())),
            largest);
  }

  private static List<Part> joined(List<Part> some, List<Part> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }

  private boolean onDevice() {
    return backend().ownMemory().isPresent();
  }

  private List<Part> stateParts() {
    return List.of(
        new Part("parameters", state(Variable.Kind.PARAMETER, Variable.Kind.STATISTIC)),
        new Part("optimizer", state(Variable.Kind.SLOT)),
        new Part("averages_and_windows", state(Variable.Kind.AVERAGE, Variable.Kind.WINDOW)));
  }

  private long state(Variable.Kind... kinds) {
    List<Variable.Kind> wanted = List.of(kinds);
    return train.state().values().entrySet().stream()
        .filter(entry -> wanted.contains(entry.getKey().kind()))
        .mapToLong(entry -> entry.getValue().spec().bytes())
        .sum();
  }

  /** What steps compute in; a plan of another size of batch has memory of its own. */
  private Step step(Graph full) {
    List<Graph> others = new ArrayList<>();
    oddBatch().forEach(rows -> others.add(train.loop().trace(signature(rows))));
    if (microBatches() > 1) {
      others.add(train.loop().trace(List.of()));
    }
    return switch (train.loop().execution()) {
      case Execution.Planned(PlanOptions options) -> planned(full, others, options);
      case Execution.Eager _ -> opByOp(full);
    };
  }

  private Step planned(Graph full, List<Graph> others, PlanOptions options) {
    PlanReport plan = backend().measure(full, options);
    long kept = Math.min(plan.activationBytes(), plan.peakBytes());
    long more =
        others.stream().mapToLong(graph -> backend().measure(graph, options).peakBytes()).sum();
    return new Step(
        List.of(
            new Part("activations", kept),
            new Part("gradients_and_workspaces", plan.peakBytes() - kept),
            new Part("other_plans", more)),
        List.of(new Part("kernels", kernels(plan))));
  }

  private static long kernels(PlanReport plan) {
    return KERNEL * plan.schedule().size() + plan.heapBytes();
  }

  /** Each result lives until the step has ended; a device has what one op takes, and no more. */
  private Step opByOp(Graph graph) {
    List<Part> results =
        List.of(
            new Part("results_of_ops", graph.nodes().stream().mapToLong(n -> out(graph, n)).sum()));
    return onDevice()
        ? new Step(
            List.of(
                new Part(
                    "one_op",
                    graph.nodes().stream()
                        .mapToLong(n -> in(graph, n) + out(graph, n))
                        .max()
                        .orElse(0))),
            results)
        : new Step(results, List.of());
  }

  private static long in(Graph graph, Graph.Node node) {
    return bytes(graph, node.in());
  }

  private static long out(Graph graph, Graph.Node node) {
    return bytes(graph, node.out());
  }

  private static long bytes(Graph graph, List<Integer> slots) {
    return slots.stream().mapToLong(slot -> graph.slots().get(slot).bytes()).sum();
  }

  private Backend backend() {
    return train.backend();
  }

  private int microBatches() {
    return train.loop().step().accumulation().microBatches();
  }

  private List<TensorSpec> signature(int rows) {
    TensorSpec sample = job.network().sample();
    return Signatures.of(List.of(sample, TensorSpec.of(DType.INT64)), rows);
  }

  /** How many samples the last batch of an epoch has, where training gets there and it differs. */
  private Stream<Integer> oddBatch() {
    int rows = samples.train() % job.length().batchSize();
    long whole = samples.train() / job.length().batchSize();
    boolean reached =
        job.length().steps().isEmpty()
            || (long) job.length().steps().getAsInt() * microBatches() > whole;
    return rows > 0 && reached ? Stream.of(rows) : Stream.empty();
  }

  /** Sizes of the batches in which so many samples are computed. */
  private Stream<Integer> batches(int count) {
    int rows = Math.min(job.length().batchSize(), count);
    int odd = rows == 0 ? 0 : count % rows;
    return Stream.of(rows, odd).filter(size -> size > 0);
  }

  private long evaluation() {
    return inference(samples.test(), PlanReport::peakBytes);
  }

  private long inference(int count, ToLongFunction<PlanReport> taken) {
    try (Inference inference = train.inference()) {
      return batches(count)
          .map(rows -> inference.trace(signature(rows).subList(0, 1)))
          .mapToLong(graph -> taken.applyAsLong(backend().measure(graph, PlanOptions.FULL)))
          .sum();
    }
  }

  private static long program() {
    return JavaOptions.learned().isEmpty() ? PROGRAM : PROGRAM + LEARNED;
  }

  /** What a process holds that predicts for so many samples: twice the values, as they are read. */
  long prediction(int count) {
    long values = state(Variable.Kind.PARAMETER, Variable.Kind.STATISTIC);
    long plans = inference(count, plan -> kernels(plan) + (onDevice() ? 0 : plan.peakBytes()));
    long staged = STAGED * batches(count).mapToLong(this::bytes).sum() + largestVariable();
    long device = onDevice() ? DRIVER + staged : 0;
    return program() + allState() + values + plans + bytes(count) + device;
  }

  /**
   * What a process holds at the most that runs one step again, op by op: once as it was trained,
   * once in FP32, where what was in half takes twice as much. Each result lives until its pass has
   * ended.
   */
  long replay() {
    Graph step = train.loop().trace(signature(job.length().batchSize()));
    long results = step.nodes().stream().mapToLong(node -> out(step, node)).sum();
    long kernels = KERNEL * step.nodes().size();
    return program()
        + 2 * allState()
        + WIDENED * results
        + kernels
        + samples.bytes()
        + batches()
        + (onDevice() ? DRIVER : 0);
  }

  private long allState() {
    return train.state().values().values().stream().mapToLong(v -> v.spec().bytes()).sum();
  }

  private long batches() {
    long read = job.loading().ahead() + 1L;
    long full = read * bytes(job.length().batchSize());
    long epochs = Math.ceilDiv(read, Math.ceilDiv(samples.train(), job.length().batchSize()));
    long odd = epochs * oddBatch().mapToLong(this::bytes).sum();
    return full + odd + batches(samples.test()).mapToLong(this::bytes).sum();
  }

  /** Pinned copies: two of the inputs of each plan, and one of a variable that is being moved. */
  private long staging() {
    return STAGED
            * Stream.of(Stream.of(job.length().batchSize()), oddBatch(), batches(samples.test()))
                .flatMap(sizes -> sizes)
                .mapToLong(this::bytes)
                .sum()
        + largestVariable();
  }

  private long largestVariable() {
    return train.state().values().values().stream()
        .mapToLong(value -> value.spec().bytes())
        .max()
        .orElse(0);
  }

  private long bytes(int rows) {
    return signature(rows).stream().mapToLong(TensorSpec::bytes).sum();
  }

  private Largest largest(Graph graph) {
    Stream<Largest> kept =
        train.state().values().entrySet().stream()
            .map(entry -> new Largest(entry.getKey().path(), entry.getValue().spec()));
    Stream<Largest> computed =
        graph.nodes().stream()
            .flatMap(
                node ->
                    node.out().stream()
                        .map(slot -> new Largest(node.at(), graph.slots().get(slot))));
    return Stream.concat(kept, computed)
        .max(Comparator.comparingLong(tensor -> tensor.spec().bytes()))
        .orElseThrow(() -> new IllegalStateException("a step with no tensors"));
  }

  /**
   * What a run holds at the least, without planning anything: its state, and what the forward pass
   * keeps. Of what is far too large nothing is compiled.
   */
  MemoryEstimate least() {
    Graph step = train.loop().trace(signature(job.length().batchSize()));
    return placed(
        List.of(new Part("state", allState())),
        List.of(new Part("activations", SavedActivations.bytes(step))),
        List.of(new Part("batches", bytes(job.length().batchSize()))),
        largest(step));
  }
}
