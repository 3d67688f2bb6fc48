package dev.halfcell.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** What a command line printed, and the code that it ended with. */
record CommandLineRun(int exitCode, String out, String err) {
  /** Runs a command line in this process, with output that is not a terminal. */
  static CommandLineRun of(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Console console = new Console(new PrintWriter(out), new PrintWriter(err), false);
    int exitCode = new Program(console).run(arguments);
    console.out().flush();
    return new CommandLineRun(exitCode, out.toString(), err.toString());
  }

  List<String> outLines() {
    return out.lines().toList();
  }

  List<String> errLines() {
    return err.lines().toList();
  }
}
