package dev.halfcell.testkit;

import dev.halfcell.backend.Collective;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.collective.AllReduce.Reduction;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Ranks as threads of one process. Values are reduced in the order of the ranks, in double, so that
 * all get the same bits. A rank that ends, fails, or does not come in time makes the others throw.
 */
public final class ThreadCollective {
  private record Deposit(Reduction reduction, TensorSpec spec, CellPath at, double[] values) {
    String text() {
      return reduction + " of " + spec + " at " + at;
    }
  }

  private final int size;
  private final Duration patience;
  private final @Nullable Deposit[] deposits;
  private final boolean[] ended;
  private double[] result = {};
  private long round;
  private String failure = "";

  private ThreadCollective(int size, Duration patience) {
    this.size = size;
    this.patience = patience;
    this.deposits = new Deposit[size];
    this.ended = new boolean[size];
  }

  /** What each of so many ranks makes, in their order; they wait ten seconds for each other. */
  public static <T> List<T> run(int ranks, Function<Collective, T> body) {
    return run(ranks, Duration.ofSeconds(10), body);
  }

  /**
   * The same with another patience.
   *
   * @throws CompletionException where a rank threw: of the first of them, with those of the others
   *     suppressed
   */
  public static <T> List<T> run(int ranks, Duration patience, Function<Collective, T> body) {
    ThreadCollective all = new ThreadCollective(ranks, patience);
    try (ExecutorService threads = Executors.newFixedThreadPool(ranks)) {
      List<Future<T>> running =
          IntStream.range(0, ranks)
              .mapToObj(rank -> threads.submit(() -> all.rank(rank, body)))
              .toList();
      return results(running);
    }
  }

  private <T> T rank(int number, Function<Collective, T> body) {
    try {
      return body.apply(new Rank(this, number));
    } finally {
      ended(number);
    }
  }

  private static <T> List<T> results(List<Future<T>> running) {
    List<T> results = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    for (Future<T> each : running) {
      try {
        results.add(each.get());
      } catch (ExecutionException e) {
        failures.add(e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        failures.add(e);
      }
    }
    if (!failures.isEmpty()) {
      CompletionException failed = new CompletionException(failures.getFirst());
      failures.stream().skip(1).forEach(failed::addSuppressed);
      throw failed;
    }
    return results;
  }

  private synchronized void ended(int rank) {
    ended[rank] = true;
    notifyAll();
  }

  private synchronized double[] exchange(int rank, Deposit mine) {
    deposits[rank] = mine;
    if (missing().isEmpty()) {
      reduce();
    } else {
      await(rank, round);
    }
    if (!failure.isEmpty()) {
      throw failed(rank, mine, failure);
    }
    return result;
  }

  private List<Integer> missing() {
    return IntStream.range(0, size).filter(rank -> deposits[rank] == null).boxed().toList();
  }

  private void reduce() {
    List<Deposit> all = new ArrayList<>();
    for (Deposit each : deposits) {
      if (each != null) {
        all.add(each);
      }
    }
    List<String> texts = all.stream().map(Deposit::text).toList();
    if (texts.stream().distinct().count() > 1) {
      failure = "ranks 0 to " + (size - 1) + " came with " + texts;
    } else {
      result = reduced(all);
    }
    Arrays.fill(deposits, null);
    round++;
    notifyAll();
  }

  private static double[] reduced(List<Deposit> all) {
    Reduction reduction = all.getFirst().reduction();
    DoubleBinaryOperator both =
        switch (reduction) {
          case SUM, MEAN -> Double::sum;
          case MAX -> Math::max;
          case MIN -> Math::min;
        };
    double[] values = all.getFirst().values().clone();
    for (Deposit each : all.subList(1, all.size())) {
      for (int i = 0; i < values.length; i++) {
        values[i] = both.applyAsDouble(values[i], each.values()[i]);
      }
    }
    for (int i = 0; reduction == Reduction.MEAN && i < values.length; i++) {
      values[i] /= all.size();
    }
    return values;
  }

  /** Waits until the round is over, or somebody can no longer come. */
  private void await(int rank, long mine) {
    long until = System.nanoTime() + patience.toNanos();
    try {
      while (round == mine && failure.isEmpty()) {
        long millis = (until - System.nanoTime()) / 1_000_000;
        failure = hopeless(millis);
        if (failure.isEmpty()) {
          wait(millis);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure = "rank " + rank + " was interrupted";
    }
    notifyAll();
  }

  /** Why waiting any longer is of no use, if it is not. */
  private String hopeless(long millis) {
    List<Integer> gone = missing().stream().filter(other -> ended[other]).toList();
    if (!gone.isEmpty()) {
      return "rank " + gone.getFirst() + " has ended";
    }
    return millis <= 0
        ? "ranks " + missing() + " did not come within " + patience.toMillis() + " ms"
        : "";
  }

  private UsageException failed(int rank, Deposit mine, String why) {
    return new UsageException(
        new Problem(
            "AllReduce",
            mine.at() + ", rank " + rank,
            "all " + size + " ranks at " + mine.text(),
            why,
            "Let every rank take the same steps."));
  }

  private record Rank(ThreadCollective all, int rank) implements Collective {
    @Override
    public int size() {
      return all.size;
    }

    @Override
    public void allReduce(Reduction reduction, Tensor values, CellPath at) {
      double[] reduced =
          all.exchange(rank, new Deposit(reduction, values.spec(), at, values.toArray()));
      for (int i = 0; i < reduced.length; i++) {
        Elements.set(values.data(), values.dtype(), i, reduced[i]);
      }
    }
  }
}
