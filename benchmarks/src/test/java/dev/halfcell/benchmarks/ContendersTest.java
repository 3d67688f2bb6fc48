package dev.halfcell.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.zoo.host.JavaOptions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ContendersTest {
  private final Contenders mlp = new Contenders(new Workload("mlp", 8), "cpu");

  @Test
  void halfCellIsRunInFp32AndInBothHalvesWithItsOwnOptionsForJava() {
    List<Contender> own = mlp.halfcell();
    assertEquals(
        List.of("HalfCell O0", "HalfCell O2 BF16", "HalfCell O2 FP16"),
        own.stream().map(Contender::name).toList());
    List<String> command = own.get(1).command(new Effort(30, 2.5));
    assertTrue(command.containsAll(JavaOptions.fixed()), command.toString());
    assertEquals(
        List.of("mlp", "8", "O2", "BF16", "cpu", "30", "2.5"),
        command.subList(command.size() - 7, command.size()));
  }

  @Test
  void levelsAreO0AndTheOthersInBothHalves() {
    List<Contender> levels = mlp.levels(List.of("O1", "O2", "O3"));
    assertEquals(
        List.of(
            "HalfCell O0",
            "HalfCell O1 FP16",
            "HalfCell O1 BF16",
            "HalfCell O2 FP16",
            "HalfCell O2 BF16",
            "HalfCell O3 FP16",
            "HalfCell O3 BF16"),
        levels.stream().map(Contender::name).toList());
    List<String> command = levels.getLast().command();
    assertEquals(
        List.of("mlp", "8", "O3", "BF16", "cpu"),
        command.subList(command.size() - 5, command.size()));
  }

  @Test
  void peersAreToldTheNetworkItsStartTheRateAndTheirSettings() {
    List<Contender> peers = mlp.peers("jars", Path.of("start.bin"));
    List<String> command = peers.get(1).command(new Effort(30, 2.5));
    assertEquals("libtorch FP32 (threads=1)", peers.get(1).toString());
    assertEquals(
        List.of(
            "libtorch",
            "mlp",
            "8",
            "start.bin",
            "learning-rate=0.01",
            "precision=FP32",
            "threads=1",
            "30",
            "2.5"),
        command.subList(command.size() - 9, command.size()));
  }

  @Test
  void everyPeerTakesPart() {
    assertEquals(
        List.of("libtorch FP32", "libtorch BF16 autocast", "libtorch FP16 autocast", "DJL FP32"),
        mlp.peers("jars", Path.of("start.bin")).stream().map(Contender::name).distinct().toList());
  }
}
