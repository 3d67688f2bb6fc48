package dev.halfcell.cli;

import dev.halfcell.zoo.host.JavaOptions;
import dev.halfcell.zoo.host.Memory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The program in a fresh process with HalfCell's own options for Java, and what it held at most.
 */
final class MeasuredProgram {
  private static final String PEAK = "peak resident bytes ";

  private MeasuredProgram() {}

  /**
   * What a run was estimated to hold, and what its process held.
   *
   * @param code the exit code
   * @param output all that was printed
   */
  record Measured(int code, long estimate, long peak, String output) {
    double ratio() {
      return (double) peak / estimate;
    }
  }

  /** Runs {@code train}. */
  static Measured train(Path out, List<String> arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(JavaOptions.fixed());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(MeasuredProgram.class.getName(), "train", "--out=" + out));
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    int code = process.waitFor();
    long peak = number(output, PEAK + "(\\d+)");
    return new Measured(code, code == 0 ? estimate(out) : -1, peak, output);
  }

  private static long estimate(Path out) throws IOException {
    String summary = Files.readString(out.resolve("summary.json"));
    return number(summary, "\"estimated_peak_bytes\" *: *(\\d+)");
  }

  private static long number(String text, String pattern) {
    Matcher found = Pattern.compile(pattern).matcher(text);
    return found.find() ? Long.parseLong(found.group(1)) : -1;
  }

  /** The whole program, and behind what it prints the most that it held. */
  public static void main(String[] arguments) {
    int code = new Program(Console.ofProcess()).run(arguments);
    System.out.println(PEAK + Memory.peakResident().orElseThrow());
    System.exit(code);
  }
}
