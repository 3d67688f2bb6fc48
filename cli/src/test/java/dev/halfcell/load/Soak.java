package dev.halfcell.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;

/** Clients of all kinds on a server that is killed now and then, until they are told to end. */
final class Soak {
  private static final int UNDER_WAY = 5;
  private static final int STEPS = 60;
  private static final int REQUESTS_A_SECOND = 50;

  private final int port;
  private final long seed;
  private final SoakChecker checker = new SoakChecker();
  private final Latencies reads = new Latencies();
  private final AtomicLong retries = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean over;

  Soak(int port, long seed) {
    this.port = port;
    this.seed = seed;
  }

  /** Something that is asked of the server. */
  @FunctionalInterface
  private interface Asking {
    void of(Jobs jobs, Random random) throws IOException, InterruptedException;
  }

  SoakChecker checker() {
    return checker;
  }

  /** How long answers took, in their order; to be asked for when all is over. */
  Latencies reads() {
    return reads;
  }

  /** How often a connection broke, as it does where a server is killed. */
  long retries() {
    return retries.get();
  }

  void begin() {
    again(1, this::submit);
    again(2, this::cancel);
    again(3, this::read);
    again(4, this::follow);
  }

  /** Asks until all is over, on another connection where one broke. */
  private void again(int number, Asking what) {
    Random random = new Random(seed + number);
    threads.add(
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!over) {
                    try (Jobs jobs = new Jobs(port)) {
                      while (!over) {
                        what.of(jobs, random);
                      }
                    } catch (IOException e) {
                      retries.incrementAndGet();
                      pause(50);
                    } catch (InterruptedException | RuntimeException | AssertionError e) {
                      checker.violated(e.toString());
                    }
                  }
                }));
  }

  /** Keeps some jobs under way; each submission is sent until it is answered, by the same key. */
  private void submit(Jobs jobs, Random random) throws IOException, InterruptedException {
    int number = checker.accepted().size();
    String key = "soak-" + number;
    // The same body each time that it is sent.
    checker.accepted(key, jobs.submit(Jobs.ofSteps(STEPS + number % 7 * STEPS), key));
    while (!over && live(jobs) >= UNDER_WAY) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private static int live(Jobs jobs) throws IOException {
    return jobs.get(
            "/v1/jobs?state=QUEUED&state=STARTING&state=RUNNING&state=INTERRUPTED&state=CANCELLING")
        .get("jobs")
        .size();
  }

  private void cancel(Jobs jobs, Random random) throws IOException, InterruptedException {
    TimeUnit.MILLISECONDS.sleep(random.nextInt(500, 3_000));
    List<String> ids = checker.accepted();
    if (!ids.isEmpty()) {
      jobs.askToCancel(ids.get(random.nextInt(ids.size())));
    }
  }

  private void read(Jobs jobs, Random random) throws IOException, InterruptedException {
    TimeUnit.MILLISECONDS.sleep(1_000 / REQUESTS_A_SECOND);
    List<String> ids = checker.accepted();
    if (!ids.isEmpty()) {
      long at = System.nanoTime();
      JsonNode job = jobs.job(ids.get(random.nextInt(ids.size())));
      reads.add(System.nanoTime() - at);
      checker.seen(job);
    }
  }

  /** Follows a job to its end, over the deaths of servers. */
  private void follow(Jobs jobs, Random random) throws IOException, InterruptedException {
    List<String> ids = checker.accepted();
    if (ids.isEmpty()) {
      pause(50);
      return;
    }
    String id = ids.get(random.nextInt(ids.size()));
    long last = 0;
    boolean ended = false;
    while (!ended && !over) {
      StreamReader reader;
      try {
        reader = StreamReader.open(port, id, last, new Latencies());
      } catch (IOException e) {
        pause(50);
        continue;
      }
      ended = follow(reader);
      if (reader.missed() > 0) {
        checker.violated(id + ": a stream left out " + reader.missed() + " numbers");
      }
      if (!reader.refused().isEmpty()) {
        checker.violated(id + ": a stream was answered " + reader.refused());
      }
      last = reader.last();
    }
  }

  private boolean follow(StreamReader reader) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(16 << 10);
    try (SocketChannel _ = reader.channel()) {
      while (!reader.closed() && !over) {
        reader.read(buffer);
        pause(20);
      }
    }
    return reader.ended();
  }

  private static void pause(long milliseconds) {
    try {
      TimeUnit.MILLISECONDS.sleep(milliseconds);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ends them, and waits until every job is over; gives all jobs. */
  List<JsonNode> end(Duration most) throws IOException, InterruptedException {
    over = true;
    for (Thread thread : threads) {
      thread.join();
    }
    try (Jobs jobs = new Jobs(port)) {
      long end = System.nanoTime() + most.toNanos();
      while (live(jobs) > 0 && System.nanoTime() < end) {
        TimeUnit.MILLISECONDS.sleep(200);
      }
      return jobs.all();
    }
  }
}
