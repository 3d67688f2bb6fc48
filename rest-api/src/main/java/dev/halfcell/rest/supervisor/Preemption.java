package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.job.JobSummary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Which workers have to end so that a job of a higher priority can run. Whoever ends so loses no
 * step: its state is saved, and its job is in the queue again.
 */
final class Preemption {
  private Preemption() {}

  /**
   * A worker that holds a place.
   *
   * @param priority of its job, as it is now
   * @param bytes the memory that its job was admitted with
   * @param since when it was begun
   * @param ending whether it was told to end already
   */
  record Holder<T>(T worker, int priority, long bytes, Instant since, boolean ending) {}

  /**
   * What is free.
   *
   * @param slots for so many workers
   * @param bytes of memory
   */
  record Room(int slots, long bytes) {
    private boolean fits(JobSummary job) {
      return slots > 0 && bytes >= job.estimatedBytes();
    }

    private Room with(Holder<?> ended) {
      return new Room(slots + 1, bytes + ended.bytes());
    }
  }

  /**
   * The workers to end: of the lowest priorities, of these the youngest, and none without which
   * there is room as well. Empty where there is room, or will be when those have ended that were
   * told to already; and where not even all of a lower priority would make room.
   */
  static <T> List<T> chosen(JobSummary head, Room free, Collection<Holder<T>> holders) {
    Room room = free;
    for (Holder<T> holder : holders) {
      room = holder.ending() ? room.with(holder) : room;
    }
    List<Holder<T>> lower =
        holders.stream()
            .filter(holder -> !holder.ending())
            .filter(holder -> holder.priority() < head.description().priority())
            .sorted(
                Comparator.<Holder<T>>comparingInt(Holder::priority)
                    .thenComparing(
                        Comparator.<Holder<T>, Instant>comparing(Holder::since).reversed()))
            .toList();
    List<Holder<T>> taken = new ArrayList<>();
    for (Holder<T> holder : lower) {
      if (room.fits(head)) {
        break;
      }
      room = room.with(holder);
      taken.add(holder);
    }
    return room.fits(head) ? needed(head, room, taken) : List.of();
  }

  /** A large one may have been found behind small ones that are not needed then. */
  private static <T> List<T> needed(JobSummary head, Room room, List<Holder<T>> taken) {
    List<T> needed = new ArrayList<>();
    Room left = room;
    for (Holder<T> holder : taken.reversed()) {
      Room without = new Room(left.slots() - 1, left.bytes() - holder.bytes());
      if (without.fits(head)) {
        left = without;
      } else {
        needed.add(holder.worker());
      }
    }
    return needed;
  }
}
