package dev.halfcell.cli;

import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.zoo.host.Versions;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code halfcell} program: its commands, and how each ends. */
@Command(
    name = "halfcell",
    description = "Trains neural networks in mixed precision.",
    footer = {
      "",
      "Exit codes: 0 done, 1 failed, 2 bad arguments, 3 the job was cancelled, 4 the server cannot"
          + " be reached, 5 loss or gradients not finite, 6 disk or"
          + " data, 7 too little memory; 130 (Ctrl-C) or 143 (SIGTERM) interrupted, after saving a"
          + " checkpoint.",
      "An error is one line on the error output."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Program.Version.class)
final class Program implements Runnable {
  private final Console console;
  private final JobServer.Starter server;
  private final JobTrainer.Starter trainer;
  private final Interruption interruption = new Interruption();

  @Option(
      names = "--stacktrace",
      scope = ScopeType.INHERIT,
      description = "Print where in the code an error comes from, for reports to the developers.")
  private boolean stacktrace;

  @Spec private CommandSpec spec;

  Program(Console console) {
    this(console, LocalJobServer::start);
  }

  /** One that starts this where it is to serve. */
  Program(Console console, JobServer.Starter server) {
    this(console, server, LocalJobTrainer::start);
  }

  /** One that starts these where it is to serve or to work for servers. */
  Program(Console console, JobServer.Starter server, JobTrainer.Starter trainer) {
    this.console = console;
    this.server = server;
    this.trainer = trainer;
  }

  /** Runs a command line and gives the code to end the process with. */
  int run(String... arguments) {
    try (interruption) {
      int exitCode = printed(executed(arguments));
      interruption.end(exitCode);
      return exitCode;
    }
  }

  private int executed(String... arguments) {
    try {
      return commandLine().execute(arguments);
    } catch (Error error) {
      // Too little memory, a library that cannot be linked: picocli passes these through.
      return failed(error);
    }
  }

  /** What was asked for is not done where some of what it prints is lost. */
  private int printed(int exitCode) {
    Optional<String> lost = console.lost();
    return exitCode == ExitCode.SUCCESS
        ? lost.map(where -> failed(unprinted(where))).orElse(exitCode)
        : exitCode;
  }

  private static DataException unprinted(String where) {
    return new DataException(
        new Problem(
            "standard output",
            where,
            "a file or device that takes all that is printed",
            "one that refuses some of it",
            "Check the space on the disk."));
  }

  private CommandLine commandLine() {
    return new CommandLine(this)
        .addSubcommand(new TrainCommand(console, interruption))
        .addSubcommand(new EvaluateCommand(console))
        .addSubcommand(new PredictCommand(console))
        .addSubcommand(new DiagnoseCommand(console))
        .addSubcommand(new ExplainCommand(console))
        .addSubcommand(new PlanDiffCommand(console))
        .addSubcommand(new SummaryCommand(console))
        .addSubcommand(new ListCommand(console))
        .addSubcommand(new SchemaCommand(console))
        .addSubcommand(new DoctorCommand(console))
        .addSubcommand(new VerifyCommand(console))
        .addSubcommand(new ServeCommand(console, interruption, server))
        .addSubcommand(new WorkerCommand(console, interruption, trainer))
        .addSubcommand(new SubmitCommand(console))
        .addSubcommand(new JobsCommand(console))
        .addSubcommand(new WatchCommand(console))
        .addSubcommand(new CancelCommand(console))
        .addSubcommand(new PauseCommand(console))
        .addSubcommand(new ResumeCommand(console))
        .addSubcommand(new FetchCommand(console))
        // A name that begins with @ is a name like any other, not a file with more arguments.
        .setExpandAtFiles(false)
        .registerConverter(Path.class, new OptionValues.FileName())
        .setOut(console.out())
        .setErr(console.err())
        .setUsageHelpWidth(100)
        .setParameterExceptionHandler((error, _) -> rejected(error))
        .setExecutionExceptionHandler((error, _, _) -> failed(error));
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "Expected a command: " + String.join(", ", spec.subcommands().keySet()) + ".");
  }

  private int rejected(ParameterException error) {
    String command = error.getCommandLine().getCommandSpec().qualifiedName();
    console.error(sentence(error) + " (" + command + " --help tells more.)");
    return ExitCode.BAD_ARGUMENTS;
  }

  private static String sentence(ParameterException error) {
    String message = String.valueOf(error.getMessage());
    if (error instanceof UnmatchedArgumentException unknown
        && !unknown.getSuggestions().isEmpty()) {
      message += ". Did you mean " + String.join(" or ", unknown.getSuggestions()) + "?";
    }
    return message.matches("(?s).*[.?]") ? message : message + ".";
  }

  private int failed(Throwable error) {
    Failure failure = new Failure(error);
    console.error(failure.line());
    if (stacktrace) {
      failure.cause().printStackTrace(console.err());
      console.err().flush();
    }
    return failure.exitCode();
  }

  /** Gives {@code --version} its line. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"halfcell " + Versions.halfcell()};
    }
  }
}
