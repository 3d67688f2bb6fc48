package dev.halfcell.cli;

import dev.halfcell.cli.text.Printable;
import dev.halfcell.cli.text.Table;
import dev.halfcell.rest.client.HalfCellClient;
import dev.halfcell.rest.client.Job;
import dev.halfcell.rest.client.JobFilter;
import dev.halfcell.rest.client.JobPage;
import dev.halfcell.rest.job.JobState;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code halfcell jobs}. */
@Command(
    name = "jobs",
    description = "Lists the jobs of a server.",
    mixinStandardHelpOptions = true)
final class JobsCommand implements Callable<Integer> {
  private static final int LARGEST_PAGE = 200;
  private static final DateTimeFormatter MINUTES =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);

  private final Console console;

  @Mixin private ServerOptions server = new ServerOptions();

  @Option(
      names = "--state",
      paramLabel = "STATE",
      split = ",",
      description = "Only jobs in any of these states: ${COMPLETION-CANDIDATES}.")
  private List<JobState> states = new ArrayList<>();

  @Option(
      names = "--label",
      paramLabel = "KEY=VALUE",
      description = "Only jobs with this label; of several, with all.")
  private Map<String, String> labels = new LinkedHashMap<>();

  @Option(names = "--network", paramLabel = "NETWORK", description = "Only jobs that train this.")
  private Optional<String> network = Optional.empty();

  @Option(
      names = "--level",
      paramLabel = "O0|O1|O2|O3|auto",
      description = "Only jobs at this level.")
  private Optional<String> level = Optional.empty();

  @Option(
      names = "--sort",
      paramLabel = "newest|oldest|priority",
      description = "What comes first. Default: newest.")
  private Optional<String> sort = Optional.empty();

  @Option(
      names = "--limit",
      paramLabel = "N",
      converter = OptionValues.Count.class,
      description = "The most jobs that are listed. Default: 50.")
  private int limit = 50;

  JobsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    JobFilter filter =
        new JobFilter(states, labels, network, level, sort, Math.min(limit, LARGEST_PAGE));
    try (HalfCellClient client = server.client()) {
      Table table =
          new Table().row("ID", "NAME", "NETWORK", "LEVEL", "STATE", "DONE", "CREATED", "REASON");
      all(client, filter).forEach(job -> row(table, job));
      table.lines().forEach(console.out()::println);
      console.out().flush();
    }
    return ExitCode.SUCCESS;
  }

  private List<Job> all(HalfCellClient client, JobFilter filter) {
    JobPage page = client.jobs(filter);
    List<Job> jobs = new ArrayList<>(page.jobs());
    while (page.next().isPresent() && jobs.size() < limit) {
      page = client.jobs(filter, page.next().get());
      jobs.addAll(page.jobs());
    }
    return jobs.subList(0, Math.min(limit, jobs.size()));
  }

  private static void row(Table table, Job job) {
    table.row(
        Printable.text(job.id()),
        Printable.text(job.name().orElse("-")),
        Printable.text(job.network()),
        Printable.text(job.level()),
        job.state().name(),
        job.progress().map(at -> Math.round(at.fraction() * 100) + " %").orElse("-"),
        MINUTES.format(job.createdAt().atZone(ZoneId.systemDefault())),
        Printable.text(job.statusReason().message()));
  }
}
