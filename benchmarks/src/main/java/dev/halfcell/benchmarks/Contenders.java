package dev.halfcell.benchmarks;

import dev.halfcell.benchmarks.Contender.Side;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Who takes part: HalfCell as it comes, and each peer with every setting that has ever made it
 * faster, so that it is compared at its best.
 *
 * @param workload what they compute
 * @param protocol how often
 * @param device HalfCell's backend
 */
record Contenders(Workload workload, Protocol protocol, String device) {
  /** The variables that peers are set by; a process has them only where they are given. */
  static final List<String> VARIABLES =
      List.of("KMP_BLOCKTIME", "MKL_DEBUG_CPU_TYPE", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS");

  private static final Map<String, String> AS_SHIPPED = Map.of();
  private static final Map<String, String> ONE_BLAS_THREAD =
      Map.of("OMP_NUM_THREADS", "1", "OPENBLAS_NUM_THREADS", "1");

  /** HalfCell at O0, and at O2 in both halves. */
  List<Contender> halfcell() {
    return List.of(
        halfcell("HalfCell O0", "O0", "FP16"),
        halfcell("HalfCell O2 BF16", "O2", "BF16"),
        halfcell("HalfCell O2 FP16", "O2", "FP16"));
  }

  private Contender halfcell(String name, String level, String half) {
    List<String> command = java(System.getProperty("java.class.path"));
    command.add(HalfCellProcess.class.getName());
    command.addAll(List.of(workload.network(), "" + workload.batch(), level, half, device));
    command.addAll(List.of("" + protocol.warmup(), "" + protocol.steps()));
    return new Contender(name, Side.HALFCELL, !level.equals("O0"), "", command, Map.of());
  }

  /** libtorch in FP32 and by autocast to BF16, and DJL in FP32. */
  List<Contender> peers(String classPath, Path start) {
    return Stream.of(
            libtorch("libtorch FP32", "fp32", classPath, start),
            libtorch("libtorch BF16 autocast", "bf16", classPath, start),
            djl(classPath, start))
        .flatMap(List::stream)
        .toList();
  }

  private List<Contender> libtorch(String name, String precision, String classPath, Path start) {
    int processors = Runtime.getRuntime().availableProcessors();
    List<Contender> variants = new ArrayList<>();
    for (Map<String, String> environment : List.of(AS_SHIPPED, ONE_BLAS_THREAD)) {
      for (String layout : List.of("nchw", "nhwc")) {
        for (int threads : List.of(processors, 1).stream().distinct().toList()) {
          Map<String, String> settings = new LinkedHashMap<>();
          settings.put("layout", layout);
          settings.put("threads", "" + threads);
          List<String> command = peer("libtorch", classPath, start);
          command.add("precision=" + precision);
          settings.forEach((key, value) -> command.add(key + "=" + value));
          variants.add(
              new Contender(
                  name,
                  Side.PEER,
                  !precision.equals("fp32"),
                  text(settings, environment),
                  command,
                  environment));
        }
      }
    }
    return variants;
  }

  private List<Contender> djl(String classPath, Path start) {
    int processors = Runtime.getRuntime().availableProcessors();
    Map<String, String> tuned =
        Map.of("KMP_BLOCKTIME", "0", "MKL_DEBUG_CPU_TYPE", "5", "OMP_NUM_THREADS", "" + processors);
    return Stream.of(AS_SHIPPED, tuned, ONE_BLAS_THREAD)
        .map(
            environment ->
                new Contender(
                    "DJL FP32",
                    Side.PEER,
                    false,
                    text(Map.of(), environment),
                    peer("djl", classPath, start),
                    environment))
        .toList();
  }

  private List<String> peer(String framework, String classPath, Path start) {
    List<String> command = java(classPath);
    command.addAll(
        List.of(
            "dev.halfcell.benchmarks.peers.PeerProcess",
            framework,
            workload.network(),
            "" + workload.batch(),
            start.toString(),
            "" + protocol.warmup(),
            "" + protocol.steps()));
    return command;
  }

  private static List<String> java(String classPath) {
    String program = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ArrayList<>(
        List.of(
            program,
            "--enable-native-access=ALL-UNNAMED",
            "-Dai.djl.offline=true",
            "-DOPT_OUT_TRACKING=true",
            "-cp",
            classPath));
  }

  private static String text(Map<String, String> settings, Map<String, String> environment) {
    return Stream.concat(
            settings.entrySet().stream(),
            environment.entrySet().stream().sorted(Map.Entry.comparingByKey()))
        .map(setting -> setting.getKey() + "=" + setting.getValue())
        .collect(Collectors.joining(" "));
  }
}
