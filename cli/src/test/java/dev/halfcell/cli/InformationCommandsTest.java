package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.zoo.host.Cpu;
import dev.halfcell.zoo.host.JavaOptions;
import dev.halfcell.zoo.job.JobSpecification;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that only say something. */
final class InformationCommandsTest {
  @Test
  void listNamesNetworksDataSetsAndDevices() {
    CommandLineRun run = CommandLineRun.of("list");
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().contains("  lenet5     LeNet-5"), run.out());
    assertTrue(
        run.out()
            .contains("batch 64, 5 epochs, learning rate 0.01 (constant), momentum 0.9, decay 0"));
    assertTrue(run.out().contains("found here: fashion-mnist ("), run.out());
    assertTrue(run.out().contains("  cpu        may be chosen by auto"), run.out());
    assertTrue(run.out().contains("  reference  only by name"), run.out());
    assertTrue(run.out().contains("             plain Java in double"), run.out());
    assertTrue(run.out().contains("             oneDNN 3."), run.out());
    assertTrue(
        run.out().contains("             [gpu]") || run.out().contains("compute capability"),
        run.out());
  }

  @Test
  void doctorNamesTheMachineAndWhatIsUsed() {
    CommandLineRun run = CommandLineRun.of("doctor");
    assertEquals(0, run.exitCode(), run.out());
    assertTrue(run.out().contains(Cpu.here().name()), run.out());
    assertTrue(run.out().contains(Runtime.version().toString()), run.out());
    assertTrue(run.out().contains("device reference"), run.out());
    assertTrue(run.out().contains("device cpu for --device auto"), run.out());
    assertTrue(run.out().contains("fp32: computed in"), run.out());
    assertTrue(run.out().contains("oneDNN 3."), run.out());
  }

  @Test
  void whatTheCompilerIsToldIsSaidByItsFile() {
    String all = DoctorCommand.listed(JavaOptions.fixed());
    assertTrue(
        all.matches("-XX:[+]UseSerialGC .* and [0-9]{2} for the compiler [(]vector.options[)]"),
        all);
    assertFalse(all.contains(JavaOptions.COMPILER), all);
    assertEquals("-Xmx512m", DoctorCommand.listed(List.of("-Xmx512m")));
    assertEquals(
        "1 for the compiler (vector.options)",
        DoctorCommand.listed(List.of(JavaOptions.COMPILER + "quiet")));
  }

  @Test
  void schemaPrintsWhatSpecificationsMaySay() {
    CommandLineRun run = CommandLineRun.of("schema");
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(JobSpecification.schema(), run.out());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "train", "explain", "list", "schema", "doctor", "verify", "serve", "worker", "submit",
        "jobs", "watch", "cancel", "pause", "resume", "fetch"
      })
  void everyCommandHasHelp(String command) {
    CommandLineRun run = CommandLineRun.of(command, "--help");
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().startsWith("Usage: halfcell " + command), run.out());
  }

  @Test
  void helpNamesEveryCommand() {
    String help = CommandLineRun.of("--help").out();
    for (String command : new String[] {"train", "explain", "list", "schema", "doctor", "verify"}) {
      assertTrue(help.contains("\n  " + command + " "), help);
    }
  }
}
