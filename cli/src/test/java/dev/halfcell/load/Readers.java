package dev.halfcell.load;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that send the same request again and again, each on a connection of its own: at a rate
 * that is given, or as fast as they are answered. At a given rate the time of an answer counts from
 * when its request was due, so that a server which stands still is not asked less.
 */
final class Readers {
  private static final double NANOSECONDS = 1e9;
  private static final int TOLD = 5;

  private final int port;
  private final byte[] request;
  private final int clients;

  Readers(int port, byte[] request, int clients) {
    this.port = port;
    this.request = request.clone();
    this.clients = clients;
  }

  /**
   * What came of it.
   *
   * @param answers in the order of each client
   * @param errors the first of what was no answer with status 200
   * @param failed how many were not
   */
  record Outcome(Latencies answers, List<String> errors, int failed, double seconds) {
    double perSecond() {
      return answers.count() / seconds;
    }
  }

  /** As fast as they are answered. */
  Outcome often(Duration time) throws InterruptedException {
    return run(time, 0);
  }

  /** So many a second, of all together. */
  Outcome steadily(double perSecond, Duration time) throws InterruptedException {
    return run(time, (long) (clients / perSecond * NANOSECONDS));
  }

  private Outcome run(Duration time, long every) throws InterruptedException {
    ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();
    List<Latencies> times = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    long begin = System.nanoTime();
    long end = begin + time.toNanos();
    for (int client = 0; client < clients; client++) {
      Latencies mine = new Latencies();
      times.add(mine);
      long first = begin + every * client / clients;
      threads.add(Thread.ofPlatform().start(() -> read(first, every, end, mine, errors)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return new Outcome(
        Latencies.all(times),
        errors.stream().limit(TOLD).toList(),
        errors.size(),
        (System.nanoTime() - begin) / NANOSECONDS);
  }

  private void read(
      long first, long every, long end, Latencies times, ConcurrentLinkedQueue<String> errors) {
    long due = first;
    while (due - end < 0) {
      try (KeptConnection connection = new KeptConnection(port)) {
        while (due - end < 0) {
          await(due);
          KeptConnection.Answer answer = connection.send(request);
          if (answer.status() == 200) {
            times.add(System.nanoTime() - due);
          } else {
            errors.add(answer.toString());
          }
          due = every == 0 ? System.nanoTime() : due + every;
        }
      } catch (IOException e) {
        errors.add(e.toString());
        due = Math.max(due + every, System.nanoTime());
      }
    }
  }

  private static void await(long due) {
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
