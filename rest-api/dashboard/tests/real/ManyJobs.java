import dev.halfcell.rest.job.Description;
import dev.halfcell.rest.job.EventKind;
import dev.halfcell.rest.job.Exit;
import dev.halfcell.rest.job.Failure;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobProgress;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.rest.store.AcceptLimits;
import dev.halfcell.rest.store.Claim;
import dev.halfcell.rest.store.Fence;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.NewJob;
import dev.halfcell.rest.store.Report;
import dev.halfcell.rest.store.SqlJobStore;
import dev.halfcell.rest.store.StoreSettings;
import dev.halfcell.rest.store.Transition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Fills the folder of a service with jobs that are over, as if they had been trained: {@code java
 * -cp halfcell-cli.jar ManyJobs.java FOLDER JOBS}. Seven of ten have succeeded, two were cancelled,
 * one has failed.
 */
final class ManyJobs {
  private static final int THREADS = 64;
  private static final List<String> NETWORKS = List.of("lenet5", "mlp", "resnet20", "lstm");
  private static final List<String> LEVELS = List.of("O0", "O1", "O2", "O3");

  private final JobStore store;
  private final Instant start;
  private final SecureRandom random = new SecureRandom();

  private ManyJobs(JobStore store, Instant start) {
    this.store = store;
    this.start = start;
  }

  public static void main(String[] arguments) throws Exception {
    Path file = Files.createDirectories(Path.of(arguments[0])).resolve("jobs.sqlite");
    int jobs = Integer.parseInt(arguments[1]);
    try (JobStore store = SqlJobStore.open(new StoreSettings.Sqlite(file))) {
      ManyJobs many = new ManyJobs(store, Instant.now().minus(Duration.ofSeconds(60L * jobs)));
      many.together(jobs);
      System.out.println(store.counts());
    }
  }

  /** Threads share commits, each of which waits for the disk. */
  private void together(int jobs) throws Exception {
    try (var threads = Executors.newFixedThreadPool(THREADS)) {
      List<Callable<Boolean>> parts = new ArrayList<>();
      for (int first = 0; first < THREADS; first++) {
        int from = first;
        parts.add(
            () -> {
              for (int number = from; number < jobs; number += THREADS) {
                accept(number);
                train(number);
              }
              return true;
            });
      }
      for (Future<Boolean> part : threads.invokeAll(parts)) {
        part.get();
      }
    }
  }

  private Instant at(int number, int second) {
    return start.plusSeconds(60L * number + second);
  }

  private void accept(int number) {
    String network = NETWORKS.get(number % NETWORKS.size());
    String level = LEVELS.get(number / NETWORKS.size() % LEVELS.size());
    String specification =
        """
        {"network":{"name":"%s"},"precision":{"level":"%s"},"training":{"epochs":10,"batchSize":128}}\
        """
            .formatted(network, level);
    NewJob job =
        new NewJob(
            JobId.random(random),
            "local",
            Optional.empty(),
            Optional.empty(),
            new Description(
                Optional.of("sweep " + number),
                Map.of("sweep", String.valueOf(number / 100)),
                Optional.empty(),
                0,
                false),
            network,
            level,
            specification,
            specification,
            200L << 20,
            Optional.empty(),
            Optional.empty(),
            at(number, 0));
    store.accept(job, new AcceptLimits(Long.MAX_VALUE, Long.MAX_VALUE));
  }

  private static StatusReason because(StatusReason.Code code, String message, Instant since) {
    return new StatusReason(code, message, since);
  }

  /** Takes whichever job is the next, and ends it as one of this number ends. */
  private void train(int number) {
    Instant began = at(number, 1);
    Instant ended = at(number, 50);
    JobId id =
        store
            .claim(new Claim("many", Long.MAX_VALUE, Long.MAX_VALUE, began, ended.plusSeconds(60)))
            .orElseThrow()
            .job()
            .id();
    Fence fence = new Fence(id, "many", 1);
    store.apply(
        id,
        Transition.of(
            JobAction.BEGIN, because(StatusReason.Code.TRAINING, "Training.", began), fence));
    store.report(fence, trained(number, ended));
    switch (number % 10) {
      case 3, 6 -> cancel(id, fence, ended);
      case 9 -> fail(id, fence, ended);
      default ->
          end(id, fence, JobAction.COMPLETE, StatusReason.Code.COMPLETED, "Completed.", ended, 0);
    }
  }

  private static Report trained(int number, Instant at) {
    boolean whole = !List.of(3, 6, 9).contains(number % 10);
    long step = whole ? 4_690 : 400L + number % 4_000;
    return new Report(
        Optional.of(1_000L + number),
        Optional.of(0L),
        Optional.of(
            new JobProgress(
                step, Optional.of(4_690L), 10, 10, step / 4_690.0, Optional.of(0.0), at)),
        Map.of("loss", 0.2 + number % 97 / 1_000.0, "test_accuracy", 0.8 + number % 89 / 1_000.0),
        List.of(new Report.Happened(at, EventKind.STEP, "{\"step\":" + step + ",\"loss\":0.2}")));
  }

  private void cancel(JobId id, Fence fence, Instant at) {
    store.apply(
        id,
        Transition.of(
            JobAction.ASK_CANCEL, because(StatusReason.Code.CANCELLING, "Is told to end.", at)));
    end(
        id,
        fence,
        JobAction.PAUSE,
        StatusReason.Code.CANCELLED_BY_REQUEST,
        "Cancelled by request.",
        at,
        3);
  }

  private void end(
      JobId id,
      Fence fence,
      JobAction action,
      StatusReason.Code code,
      String message,
      Instant at,
      int exit) {
    store.apply(
        id,
        new Transition(
            action,
            because(code, message, at),
            Optional.of(fence),
            Optional.of(new Exit(Optional.of(exit), Optional.empty(), true)),
            Optional.empty()));
  }

  private void fail(JobId id, Fence fence, Instant at) {
    String detail = "no step of the last epoch had a finite loss.";
    store.apply(
        id,
        new Transition(
            JobAction.FAIL,
            because(StatusReason.Code.TRAINING_FAILED, detail, at),
            Optional.of(fence),
            Optional.of(new Exit(Optional.of(1), Optional.empty(), true)),
            Optional.of(
                new Failure(
                    "non-finite", detail, Optional.empty(), Optional.of(400L), false, false, ""))));
  }
}
