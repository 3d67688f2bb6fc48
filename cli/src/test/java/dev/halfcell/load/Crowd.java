package dev.halfcell.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/**
 * Clients that send different requests together, each as soon as its last one is answered. Who is
 * told to come later does so, and its request counts once.
 */
final class Crowd {
  private static final int LATER = 429;
  private static final long PAUSE_MILLISECONDS = 20;

  private final int port;
  private final int requests;
  private final int wanted;
  private final IntFunction<byte[]> request;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger later = new AtomicInteger();
  private final ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> answers = new ConcurrentLinkedQueue<>();

  private Crowd(int port, int requests, int wanted, IntFunction<byte[]> request) {
    this.port = port;
    this.requests = requests;
    this.wanted = wanted;
    this.request = request;
  }

  /**
   * What came of it.
   *
   * @param answers their bodies, in no order
   * @param errors what was neither answered as it was to be nor told to come later
   * @param later how often one was told so
   */
  record Outcome(
      Latencies times, List<String> answers, List<String> errors, int later, double seconds) {
    double perSecond() {
      return times.count() / seconds;
    }
  }

  /**
   * Has so many clients send requests by their numbers, each once.
   *
   * @param wanted the status of their answers
   */
  static Outcome send(int port, int clients, int requests, int wanted, IntFunction<byte[]> request)
      throws InterruptedException {
    return new Crowd(port, requests, wanted, request).send(clients);
  }

  private Outcome send(int clients) throws InterruptedException {
    List<Latencies> times = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    long begin = System.nanoTime();
    for (int client = 0; client < clients; client++) {
      Latencies mine = new Latencies();
      times.add(mine);
      threads.add(Thread.ofPlatform().start(() -> sendAll(mine)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return new Outcome(
        Latencies.all(times),
        List.copyOf(answers),
        List.copyOf(errors),
        later.get(),
        (System.nanoTime() - begin) / 1e9);
  }

  private void sendAll(Latencies times) {
    try (KeptConnection connection = new KeptConnection(port)) {
      for (int n = next.getAndIncrement(); n < requests; n = next.getAndIncrement()) {
        sendOne(connection, request.apply(n), times);
      }
    } catch (IOException | InterruptedException e) {
      errors.add(e.toString());
    }
  }

  private void sendOne(KeptConnection connection, byte[] bytes, Latencies times)
      throws IOException, InterruptedException {
    long at = System.nanoTime();
    KeptConnection.Answer answer = connection.send(bytes);
    while (answer.status() == LATER && wanted != LATER) {
      later.incrementAndGet();
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLISECONDS);
      at = System.nanoTime();
      answer = connection.send(bytes);
    }
    if (answer.status() == wanted) {
      times.add(System.nanoTime() - at);
      answers.add(answer.body());
    } else {
      errors.add(answer.toString());
    }
  }
}
