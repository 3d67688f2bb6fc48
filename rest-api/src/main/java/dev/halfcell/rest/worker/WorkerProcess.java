package dev.halfcell.rest.worker;

import dev.halfcell.rest.worker.FromWorker.Beat;
import dev.halfcell.rest.worker.FromWorker.Began;
import dev.halfcell.rest.worker.FromWorker.End;
import dev.halfcell.rest.worker.FromWorker.Hello;
import dev.halfcell.rest.worker.ToWorker.Begin;
import dev.halfcell.rest.worker.ToWorker.Diagnose;
import dev.halfcell.rest.worker.ToWorker.Predict;
import dev.halfcell.rest.worker.ToWorker.Task;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.OutOfHeap;
import dev.halfcell.zoo.run.RunFolder;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The program of a worker: trains one job and tells its server of it, or does a task for one: runs
 * its model, or a step of it again. It exits with 0 where it has said how it ended, with {@link
 * #LOST} where its server is gone, with {@link #FULL} where its Java heap is full.
 */
public final class WorkerProcess {
  /** The variable of the environment that names the job; no process outlives its job with it. */
  public static final String JOB = "HALFCELL_JOB";

  /** The one that holds the attempt's number. */
  public static final String ATTEMPT = "HALFCELL_ATTEMPT";

  /** The one by which the server knows its worker again. */
  public static final String SECRET = "HALFCELL_SECRET";

  /** The one that says which trace it is a part of, by the name that other tools read too. */
  public static final String TRACE = "TRACEPARENT";

  /** The exit code where the server is gone, or speaks another language. */
  public static final int LOST = 70;

  /** The exit code where another process trains in the folder. */
  public static final int BUSY = 75;

  /** The exit code where the Java heap holds too little for what the process is to do. */
  public static final int FULL = 72;

  /** The exit code of a defect. */
  private static final int BROKEN = 71;

  private static final Duration TELLING = Duration.ofMillis(200);
  private static final Duration BEATING = Duration.ofSeconds(1);
  private static final Path STATUS = Path.of("/proc/self/status");

  private final Wire wire;
  private final Begin begin;
  private final TrainingNews news = new TrainingNews(System::nanoTime);
  private final AtomicBoolean stop = new AtomicBoolean();
  private final AtomicBoolean begun = new AtomicBoolean();
  private final CountDownLatch over = new CountDownLatch(1);
  private Optional<Path> saved = Optional.empty();

  private WorkerProcess(Wire wire, Begin begin) {
    this.wire = wire;
    this.begin = begin;
  }

  /**
   * Does what the server says.
   *
   * @param arguments the path of the server's socket
   */
  public static void main(String[] arguments) {
    Thread.setDefaultUncaughtExceptionHandler((_, thrown) -> end(BROKEN, thrown));
    HeapWatch.start(FULL);
    Courtesy.show();
    try {
      Wire wire = new Wire(SocketChannel.open(UnixDomainSocketAddress.of(Path.of(arguments[0]))));
      Map<String, String> environment = System.getenv();
      wire.send(
          new Hello(
              FromWorker.PROTOCOL,
              ProcessHandle.current().pid(),
              Objects.requireNonNull(environment.get(JOB), JOB),
              Integer.parseInt(Objects.requireNonNull(environment.get(ATTEMPT), ATTEMPT)),
              Objects.requireNonNull(environment.get(SECRET), SECRET)));
      switch (wire.toWorker().orElse(null)) {
        case Begin begin -> new WorkerProcess(wire, begin).run();
        case Task<?> asked -> perform(wire, asked);
        case null, default -> end(LOST);
      }
    } catch (IOException | ProtocolException e) {
      end(LOST, e);
    }
  }

  private static void perform(Wire wire, Task<?> asked) throws IOException {
    listening(wire, () -> end(LOST));
    wire.send(
        switch (asked) {
          case Predict samples -> WorkerPrediction.of(samples);
          case Diagnose step -> WorkerDiagnosis.of(step);
        });
    end(0);
  }

  private void run() throws IOException {
    Runtime.getRuntime().addShutdownHook(new Thread(this::stopAndWait, "halfcell-terminated"));
    listening(wire, () -> stop.set(true));
    Thread telling = Thread.ofPlatform().daemon().name("halfcell-telling").start(this::tell);
    try {
      End end = new WorkerTraining(begin, news, this::began, stop::get).run();
      over.countDown();
      telling.join();
      lookForCheckpoint();
      tellNews();
      wire.send(end);
      end(0);
    } catch (WorkerTraining.FolderBusyException e) {
      end(BUSY, e);
    } catch (InterruptedException e) {
      end(BROKEN, e);
    }
  }

  /** SIGTERM: the process goes on until its state is saved and told, and then ends itself. */
  private void stopAndWait() {
    stop.set(true);
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      end(BROKEN, e);
    }
  }

  private static void listening(Wire wire, Runnable stopping) {
    Thread.ofPlatform().daemon().name("halfcell-listening").start(() -> listen(wire, stopping));
  }

  /** The server's end is the worker's, whatever it does. */
  private static void listen(Wire wire, Runnable stopping) {
    try {
      while (wire.toWorker().orElse(null) instanceof ToWorker.Stop) {
        stopping.run();
      }
      end(LOST);
    } catch (IOException | ProtocolException e) {
      end(LOST, e);
    }
  }

  private void began(long fromStep) {
    try {
      saved = newestCheckpoint();
      wire.send(new Began(fromStep));
      begun.set(true);
    } catch (IOException e) {
      end(LOST, e);
    }
  }

  /** On a thread of its own: a server that is slow to read does not slow the training. */
  private void tell() {
    try {
      long beatAt = System.nanoTime();
      wire.send(new Beat(resident()));
      while (!over.await(TELLING.toMillis(), TimeUnit.MILLISECONDS)) {
        tellNews();
        if (System.nanoTime() - beatAt >= BEATING.toNanos()) {
          beatAt = System.nanoTime();
          lookForCheckpoint();
          wire.send(new Beat(resident()));
        }
      }
    } catch (IOException e) {
      end(LOST, e);
    } catch (InterruptedException e) {
      end(BROKEN, e);
    }
  }

  private void tellNews() throws IOException {
    if (begun.get()) {
      Optional<FromWorker.Told> told = news.take();
      if (told.isPresent()) {
        wire.send(told.get());
      }
    }
  }

  /** Training tells of steps and epochs only; what it has saved is seen in its folder. */
  private void lookForCheckpoint() {
    if (!begun.get()) {
      return;
    }
    Optional<Path> newest = newestCheckpoint();
    if (!newest.equals(saved)) {
      saved = newest;
      newest.ifPresent(
          file -> {
            String name = String.valueOf(file.getFileName());
            news.saved(Long.parseLong(name.replaceAll("\\D", "")), name);
          });
    }
  }

  /** None where the folder cannot be read: the training meets that itself, and fails by it. */
  private Optional<Path> newestCheckpoint() {
    try {
      return new RunFolder(Path.of(begin.run())).newestCheckpoint();
    } catch (DataException e) {
      JobLog.error("checkpoints cannot be listed", e);
      return saved;
    }
  }

  private static long resident() throws IOException {
    return Files.exists(STATUS) ? ResidentBytes.of(Files.readString(STATUS)).orElse(0) : 0;
  }

  /** Where the heap is full, even the line in the log may fail; the process ends all the same. */
  private static void end(int code, Throwable why) {
    int by = OutOfHeap.orThrown(why) instanceof OutOfMemoryError ? FULL : code;
    try {
      JobLog.error("the worker ends with exit code " + by, why);
    } finally {
      end(by);
    }
  }

  /** At once: what else runs here is of no use any more, and must not write. */
  private static void end(int code) {
    Runtime.getRuntime().halt(code);
  }
}
