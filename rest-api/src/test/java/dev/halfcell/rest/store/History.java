package dev.halfcell.rest.store;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What threads did to one thing at the same time, and what each was told. It is linearizable where
 * the same calls, one after the other, would have told the same, in an order in which a call that
 * was over before another began comes before it.
 *
 * @param <S> the state of a model of that thing, with {@code equals}
 */
final class History<S> {
  private final List<Call<S>> calls = new ArrayList<>();

  /**
   * A call.
   *
   * @param name for people
   * @param model what it does to the state of the model, and what it tells
   * @param told what it has told
   * @param began when, in nanoseconds
   * @param ended likewise
   */
  record Call<S>(String name, Function<S, Step<S>> model, String told, long began, long ended) {}

  /** What a call comes to in the model. */
  record Step<S>(S next, String told) {}

  /** Makes a call and remembers it; from any thread. */
  void run(String name, Function<S, Step<S>> model, Supplier<String> real) {
    long began = System.nanoTime();
    String told = real.get();
    long ended = System.nanoTime();
    synchronized (this) {
      calls.add(new Call<>(name, model, told, began, ended));
    }
  }

  /** Whether there is such an order, from a state on. */
  synchronized boolean linearizable(S from) {
    return search(from, 0, new HashSet<>());
  }

  private record Seen<S>(S state, long done) {}

  private boolean search(S state, long done, Set<Seen<S>> seen) {
    if (done == (1L << calls.size()) - 1) {
      return true;
    }
    if (!seen.add(new Seen<>(state, done))) {
      return false;
    }
    long firstEnd = Long.MAX_VALUE;
    for (int i = 0; i < calls.size(); i++) {
      if ((done >> i & 1) == 0) {
        firstEnd = Math.min(firstEnd, calls.get(i).ended());
      }
    }
    for (int i = 0; i < calls.size(); i++) {
      Call<S> call = calls.get(i);
      if ((done >> i & 1) == 0 && call.began() <= firstEnd) {
        Step<S> step = call.model().apply(state);
        if (step.told().equals(call.told()) && search(step.next(), done | 1L << i, seen)) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public synchronized String toString() {
    StringBuilder text = new StringBuilder();
    calls.forEach(
        call ->
            text.append(call.began())
                .append(" to ")
                .append(call.ended())
                .append(": ")
                .append(call.name())
                .append(" -> ")
                .append(call.told())
                .append('\n'));
    return text.toString();
  }
}
