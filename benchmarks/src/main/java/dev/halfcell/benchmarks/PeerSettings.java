package dev.halfcell.benchmarks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a peer is told to be fast.
 *
 * @param arguments of its process, by name
 * @param environment variables of its process
 */
record PeerSettings(Map<String, String> arguments, Map<String, String> environment) {
  /** The variables that peers are set by; a process has them only where they are given. */
  static final List<String> VARIABLES =
      List.of("KMP_BLOCKTIME", "MKL_DEBUG_CPU_TYPE", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS");

  private static final Map<String, String> AS_SHIPPED = Map.of();
  private static final Map<String, String> ONE_BLAS_THREAD =
      Map.of("OMP_NUM_THREADS", "1", "OPENBLAS_NUM_THREADS", "1");

  /**
   * Those of libtorch: with all processors and with one; both layouts where images are convolved;
   * in FP32 also with OpenBLAS held to one thread, since its threads stand in the way of libtorch's
   * own. In FP16, a step of which can take a minute, only what suits the other half.
   */
  static List<PeerSettings> libtorch(Precision precision, boolean images) {
    List<PeerSettings> all = new ArrayList<>();
    for (Map<String, String> environment : environments(precision)) {
      for (Map<String, String> layout : layouts(precision, images)) {
        for (Map<String, String> threads : threads(precision)) {
          Map<String, String> arguments = new HashMap<>(layout);
          arguments.putAll(threads);
          all.add(new PeerSettings(arguments, environment));
        }
      }
    }
    return all;
  }

  private static List<Map<String, String>> environments(Precision precision) {
    return precision.half() ? List.of(AS_SHIPPED) : List.of(AS_SHIPPED, ONE_BLAS_THREAD);
  }

  private static List<Map<String, String>> layouts(Precision precision, boolean images) {
    if (!images) {
      return List.of(Map.of());
    }
    Map<String, String> last = Map.of("layout", "nhwc");
    return precision == Precision.FP16 ? List.of(last) : List.of(Map.of("layout", "nchw"), last);
  }

  private static List<Map<String, String>> threads(Precision precision) {
    Map<String, String> all = Map.of();
    return precision == Precision.FP16 ? List.of(all) : List.of(all, Map.of("threads", "1"));
  }

  /** Those of DJL, which takes variables alone. */
  static List<PeerSettings> djl(int processors) {
    Map<String, String> tuned =
        Map.of("KMP_BLOCKTIME", "0", "MKL_DEBUG_CPU_TYPE", "5", "OMP_NUM_THREADS", "" + processors);
    return Stream.of(AS_SHIPPED, tuned, ONE_BLAS_THREAD)
        .map(environment -> new PeerSettings(Map.of(), environment))
        .toList();
  }

  /** The arguments as the process takes them: {@code NAME=VALUE}. */
  List<String> given() {
    return pairs(arguments).toList();
  }

  private static Stream<String> pairs(Map<String, String> settings) {
    return settings.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(setting -> setting.getKey() + "=" + setting.getValue());
  }

  @Override
  public String toString() {
    return Stream.concat(pairs(arguments), pairs(environment)).collect(Collectors.joining(" "));
  }
}
