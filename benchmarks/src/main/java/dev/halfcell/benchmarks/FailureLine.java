package dev.halfcell.benchmarks;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.HalfCellException;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Says in a line why a command of this module failed; what is nobody's mistake stays a failure. */
final class FailureLine implements IExecutionExceptionHandler {
  @Override
  public int handleExecutionException(Exception failure, CommandLine line, ParseResult parsed)
      throws Exception {
    int code =
        switch (failure) {
          case ArgumentException _ -> CommandLine.ExitCode.USAGE;
          case HalfCellException _, ProgramException _, MeasurementException _, IOException _ ->
              CommandLine.ExitCode.SOFTWARE;
          default -> throw failure;
        };
    String said = failure instanceof IOException ? failure.toString() : failure.getMessage();
    line.getErr().println(line.getCommandName() + ": " + said);
    return code;
  }
}
