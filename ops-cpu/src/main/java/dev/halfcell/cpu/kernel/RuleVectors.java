package dev.halfcell.cpu.kernel;

import static dev.halfcell.cpu.kernel.FloatVectors.FLOATS;
import static dev.halfcell.cpu.kernel.FloatVectors.load;
import static dev.halfcell.cpu.kernel.FloatVectors.store;
import static dev.halfcell.cpu.kernel.Transfers.MEMORY;

import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;

/**
 * The rules of sums and products in vectors, on floats where they lie: the same bits as {@link
 * RuleLoop} gives, without a way over the heap. Only where {@link VectorModule#usable} holds.
 */
final class RuleVectors {
  private static final int LENGTH = FLOATS.length();
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

  private RuleVectors() {}

  /** Moves {@code count} parameters, whose gradients are multiplied by {@code factor} before. */
  static void run(RuleLoop.Sgd rule, long w, long gradient, float factor, int count) {
    int bound = FLOATS.loopBound(count);
    for (int i = 0; i < bound; i += LENGTH) {
      FloatVector before = load(w + 4L * i);
      FloatVector step = load(gradient + 4L * i).mul(factor).add(before.mul(rule.decay()));
      store(before.sub(step.mul(rule.rate())), w + 4L * i);
    }
    for (int i = bound; i < count; i++) {
      float before = get(w, i);
      float step = get(gradient, i) * factor + rule.decay() * before;
      put(before - rule.rate() * step, w, i);
    }
  }

  /** Moves {@code count} parameters and their velocities, likewise. */
  static void run(RuleLoop.Momentum rule, long w, long v, long gradient, float factor, int count) {
    if (rule.nesterov()) {
      ahead(rule, w, v, gradient, factor, count);
    } else {
      plain(rule, w, v, gradient, factor, count);
    }
  }

  private static void plain(
      RuleLoop.Momentum rule, long w, long v, long gradient, float factor, int count) {
    int bound = FLOATS.loopBound(count);
    for (int i = 0; i < bound; i += LENGTH) {
      FloatVector before = load(w + 4L * i);
      FloatVector slope = load(gradient + 4L * i).mul(factor).add(before.mul(rule.decay()));
      FloatVector velocity = load(v + 4L * i).mul(rule.keep()).add(slope);
      store(velocity, v + 4L * i);
      store(before.sub(before.mul(rule.shrink())).sub(velocity.mul(rule.rate())), w + 4L * i);
    }
    for (int i = bound; i < count; i++) {
      float before = get(w, i);
      float velocity =
          rule.keep() * get(v, i) + (get(gradient, i) * factor + rule.decay() * before);
      put(velocity, v, i);
      put(before - rule.shrink() * before - rule.rate() * velocity, w, i);
    }
  }

  private static void ahead(
      RuleLoop.Momentum rule, long w, long v, long gradient, float factor, int count) {
    int bound = FLOATS.loopBound(count);
    for (int i = 0; i < bound; i += LENGTH) {
      FloatVector before = load(w + 4L * i);
      FloatVector slope = load(gradient + 4L * i).mul(factor).add(before.mul(rule.decay()));
      FloatVector velocity = load(v + 4L * i).mul(rule.keep()).add(slope);
      store(velocity, v + 4L * i);
      FloatVector step = slope.add(velocity.mul(rule.keep()));
      store(before.sub(before.mul(rule.shrink())).sub(step.mul(rule.rate())), w + 4L * i);
    }
    for (int i = bound; i < count; i++) {
      float before = get(w, i);
      float slope = get(gradient, i) * factor + rule.decay() * before;
      float velocity = rule.keep() * get(v, i) + slope;
      put(velocity, v, i);
      float step = slope + rule.keep() * velocity;
      put(before - rule.shrink() * before - rule.rate() * step, w, i);
    }
  }

  private static float get(long address, int i) {
    return MEMORY.get(FLOAT, address + 4L * i);
  }

  private static void put(float value, long address, int i) {
    MEMORY.set(FLOAT, address + 4L * i, value);
  }
}
