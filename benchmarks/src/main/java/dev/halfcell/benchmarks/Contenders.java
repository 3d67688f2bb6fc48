package dev.halfcell.benchmarks;

import dev.halfcell.benchmarks.Contender.Side;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Who takes part: HalfCell as it comes, and each peer with the settings that have made it faster on
 * one network or another, so that it is compared at its best.
 *
 * @param workload what they compute
 * @param device HalfCell's backend
 */
record Contenders(Workload workload, String device) {
  /** The peer that a half of HalfCell's is compared with. */
  static final String TORCH_BF16 = "libtorch BF16 autocast";

  /** HalfCell at O0, and at O2 in both halves. */
  List<Contender> halfcell() {
    return List.of(
        halfcell("HalfCell O0", "O0", Precision.FP32),
        halfcell("HalfCell O2 BF16", "O2", Precision.BF16),
        halfcell("HalfCell O2 FP16", "O2", Precision.FP16));
  }

  /** HalfCell at O0, and at these levels above it in both halves. */
  List<Contender> levels(List<String> above) {
    Stream<Contender> halves =
        above.stream()
            .flatMap(
                level ->
                    Stream.of(Precision.FP16, Precision.BF16)
                        .map(half -> halfcell("HalfCell " + level + " " + half, level, half)));
    return Stream.concat(Stream.of(halfcell("HalfCell O0", "O0", Precision.FP32)), halves).toList();
  }

  private Contender halfcell(String name, String level, Precision precision) {
    String half = precision.half() ? precision.name() : "FP16";
    List<String> command =
        Program.halfcell(
            HalfCellProcess.class, workload.network(), "" + workload.batch(), level, half, device);
    return new Contender(name, Side.HALFCELL, precision, "", command, Map.of());
  }

  /** libtorch in FP32 and by autocast to each half, and DJL in FP32. */
  List<Contender> peers(String classPath, Path start) {
    return Stream.concat(
            Arrays.stream(Precision.values())
                .flatMap(precision -> libtorch(precision, classPath, start)),
            djl(classPath, start))
        .toList();
  }

  private Stream<Contender> libtorch(Precision precision, String classPath, Path start) {
    String name =
        switch (precision) {
          case FP32 -> "libtorch FP32";
          case BF16 -> TORCH_BF16;
          case FP16 -> "libtorch FP16 autocast";
        };
    boolean images = TimedNetwork.named(workload.network()).convolves();
    return PeerSettings.libtorch(precision, images).stream()
        .map(
            settings -> {
              List<String> command = peer("libtorch", classPath, start);
              command.add("precision=" + precision.name());
              return peer(name, precision, settings, command);
            });
  }

  private Stream<Contender> djl(String classPath, Path start) {
    return PeerSettings.djl(Runtime.getRuntime().availableProcessors()).stream()
        .map(settings -> peer("DJL FP32", Precision.FP32, settings, peer("djl", classPath, start)));
  }

  private static Contender peer(
      String name, Precision precision, PeerSettings settings, List<String> start) {
    List<String> command = new ArrayList<>(start);
    command.addAll(settings.given());
    return new Contender(
        name, Side.PEER, precision, settings.toString(), command, settings.environment());
  }

  private List<String> peer(String framework, String classPath, Path start) {
    return Program.peers(
        classPath,
        "dev.halfcell.benchmarks.peers.PeerProcess",
        framework,
        workload.network(),
        "" + workload.batch(),
        start.toString(),
        "learning-rate=" + TimedNetwork.named(workload.network()).learningRate());
  }
}
