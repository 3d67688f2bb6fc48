package dev.halfcell.gpu.library;

import dev.halfcell.gpu.driver.LibraryException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The plan of an operation: cuDNN names configurations of its engines, the one that it thinks the
 * fastest first. Those whose numbers are others than this project's are left out: an engine must
 * give the same bits each time, keep sums in FP32 and, of FP32, not multiply in TF32, unless the
 * values are those of a half. The first that can be planned and needs no more memory than it may is
 * taken.
 *
 * <p>Source of the numbers: cudnn_graph.h of cuDNN 9.5.
 */
final class CudnnPlan implements AutoCloseable {
  private static final int MOST_OFFERS = 32;

  private static final int ENGINE = 2;
  private static final int CONFIGURATION = 3;
  private static final int HEURISTIC = 4;
  private static final int EXECUTION_PLAN = 5;
  private static final int GRAPH = 15;

  private static final int HEURISTIC_MODE_TYPE = 8;
  private static final int NOTE_TYPE = 11;

  /** The modes of the heuristic: its best, and what is left where that names none that serves. */
  private static final List<Integer> MODES = List.of(3, 2);

  private static final int HEURISTIC_MODE = 200;
  private static final int HEURISTIC_GRAPH = 201;
  private static final int HEURISTIC_RESULTS = 202;
  private static final int CONFIGURATION_ENGINE = 300;
  private static final int PLAN_HANDLE = 400;
  private static final int PLAN_CONFIGURATION = 401;
  private static final int PLAN_WORKSPACE = 402;
  private static final int GRAPH_HANDLE = 800;
  private static final int GRAPH_OPERATIONS = 801;
  private static final int ENGINE_NOTES = 1303;
  private static final int MOST_NOTES = 32;

  // cudnnBackendNumericalNote_t
  private static final int TENSOR_CORE = 0;
  private static final int DOWN_CONVERT_INPUTS = 1;

  /** Sums in half, FFT, not the same bits each time, and the kinds of Winograd. */
  private static final Set<Integer> NEVER = Set.of(2, 3, 4, 5, 6, 7, 8);

  private final CudnnDescriptor plan;
  private final long workspaceBytes;
  private final CudnnDescriptor configuration;
  private final CudnnDescriptor graph;

  private CudnnPlan(Planned planned, CudnnDescriptor graph) {
    this.plan = planned.plan;
    this.workspaceBytes = planned.workspaceBytes;
    this.configuration = planned.configuration;
    this.graph = graph;
  }

  /** What became of a configuration. */
  private record Planned(
      CudnnDescriptor plan, long workspaceBytes, CudnnDescriptor configuration) {}

  /**
   * Plans an operation.
   *
   * @param of what it computes
   * @param most the most memory that it may work in, in bytes
   * @throws LibraryException where no engine serves
   */
  static CudnnPlan of(
      CudnnFunctions functions,
      long handle,
      CudnnDescriptor operation,
      ConvolutionProblem of,
      long most) {
    Search search = new Search(functions, handle, of, most);
    CudnnDescriptor graph = CudnnDescriptor.of(functions, GRAPH);
    try {
      graph.handle(GRAPH_HANDLE, handle).descriptor(GRAPH_OPERATIONS, operation).finished();
      for (int mode : MODES) {
        Optional<Planned> planned = search.first(graph, mode);
        if (planned.isPresent()) {
          return new CudnnPlan(planned.get(), graph);
        }
      }
      throw search.failed();
    } catch (RuntimeException | Error e) {
      graph.close();
      throw e;
    }
  }

  /** A search for an engine. */
  private static final class Search {
    private final CudnnFunctions functions;
    private final long handle;
    private final ConvolutionProblem of;
    private final long most;
    private String last = "";

    Search(CudnnFunctions functions, long handle, ConvolutionProblem of, long most) {
      this.functions = functions;
      this.handle = handle;
      this.of = of;
      this.most = most;
    }

    LibraryException failed() {
      return new LibraryException(
          new Problem(
              "gpu",
              functions.finish.name(),
              "an engine with sums in FP32 and the same bits each time",
              last.isEmpty() ? "none" : "none; the last said: " + last,
              ""));
    }

    /** The first that serves of those that a mode of the heuristic names. */
    Optional<Planned> first(CudnnDescriptor graph, int mode) {
      List<CudnnDescriptor> offers = new ArrayList<>();
      try (CudnnDescriptor heuristic = CudnnDescriptor.of(functions, HEURISTIC)) {
        heuristic
            .descriptor(HEURISTIC_GRAPH, graph)
            .choice(HEURISTIC_MODE, HEURISTIC_MODE_TYPE, mode)
            .finished();
        for (int i = 0; i < MOST_OFFERS; i++) {
          offers.add(CudnnDescriptor.of(functions, CONFIGURATION));
        }
        int count = heuristic.fill(HEURISTIC_RESULTS, offers);
        Optional<Planned> first =
            offers.stream()
                .limit(count)
                .filter(this::serves)
                .flatMap(each -> planned(each).stream())
                .findFirst();
        first.ifPresent(planned -> offers.remove(planned.configuration));
        return first;
      } catch (LibraryException e) {
        last = String.valueOf(e.getMessage()); // a mode that has no word on this; the next may have
        return Optional.empty();
      } finally {
        offers.forEach(CudnnDescriptor::close);
      }
    }

    private boolean serves(CudnnDescriptor configuration) {
      try (CudnnDescriptor engine = CudnnDescriptor.of(functions, ENGINE)) {
        configuration.fill(CONFIGURATION_ENGINE, List.of(engine));
        List<Integer> notes = engine.choices(ENGINE_NOTES, NOTE_TYPE, MOST_NOTES);
        boolean exact =
            of.in() != DType.FP32
                || !notes.contains(DOWN_CONVERT_INPUTS)
                    && (of.ofHalves() || !notes.contains(TENSOR_CORE));
        return exact && notes.stream().noneMatch(NEVER::contains);
      }
    }

    private Optional<Planned> planned(CudnnDescriptor configuration) {
      CudnnDescriptor plan = CudnnDescriptor.of(functions, EXECUTION_PLAN);
      try {
        plan.handle(PLAN_HANDLE, handle).descriptor(PLAN_CONFIGURATION, configuration).finished();
        long bytes = plan.integer(PLAN_WORKSPACE);
        if (bytes <= most) {
          return Optional.of(new Planned(plan, bytes, configuration));
        }
        last = bytes + " bytes of workspace";
      } catch (LibraryException e) {
        last = String.valueOf(e.getMessage()); // the next one may do
      }
      plan.close();
      return Optional.empty();
    }
  }

  long address() {
    return plan.address();
  }

  /** The memory that it works in. */
  long workspaceBytes() {
    return workspaceBytes;
  }

  @Override
  public void close() {
    plan.close();
    configuration.close();
    graph.close();
  }
}
