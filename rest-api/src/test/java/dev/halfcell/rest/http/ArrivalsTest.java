package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.mockito.InOrder;

/** Who comes in a crowd is read one after another. */
final class ArrivalsTest {
  private static final long TICK = 10_000_000;

  private long now;
  private final Queue<Runnable> timers = new ArrayDeque<>();
  private final Arrivals arrivals = new Arrivals(timers::add, () -> now);
  private final List<Channel> letIn = new ArrayList<>();

  private List<Channel> arrive(int count) {
    List<Channel> all = Stream.<Channel>generate(EmbeddedChannel::new).limit(count).toList();
    all.forEach(each -> arrivals.arrived(each, () -> letIn.add(each)));
    return all;
  }

  private static long read(List<Channel> all) {
    return all.stream().filter(each -> each.config().isAutoRead()).count();
  }

  private void tick() {
    tickLate(0);
  }

  private void tickLate(long nanos) {
    now += TICK + nanos;
    timers.remove().run();
  }

  @Test
  void someAreReadAtOnceAndTwiceAsManyAfterEachTickUpToEighty() {
    List<Channel> all = arrive(400);
    assertEquals(20, read(all));
    List<Long> read = new ArrayList<>();
    for (int ticks = 0; ticks < 6; ticks++) {
      tick();
      read.add(read(all));
    }
    assertEquals(List.of(60L, 140L, 220L, 300L, 380L, 400L), read);
  }

  /** They cost more than they should, or all costs more. */
  @Test
  void fewerAreLetInWhereTheOnesBeforeTookLong() {
    List<Channel> all = arrive(120);
    List<Long> read = new ArrayList<>();
    for (long late : new long[] {TICK, TICK + 1, 5 * TICK, TICK + 1, TICK + 1, TICK + 1, 0, 0}) {
      tickLate(late);
      read.add(read(all));
    }
    assertEquals(List.of(60L, 80L, 90L, 95L, 97L, 99L, 103L, 111L), read);
  }

  /** The next crowd begins anew. */
  @Test
  void nobodyPaysForACrowdThatIsGone() {
    var _ = arrive(30);
    tickLate(2 * TICK);
    tick();
    assertTrue(timers.isEmpty());
    List<Channel> next = arrive(100);
    assertEquals(20, read(next));
    tick();
    assertEquals(60, read(next));
  }

  /** A deadline that ran before would close those whom the server lets wait. */
  @Test
  void eachIsToldWhenItIsItsTurn() {
    List<Channel> all = arrive(45);
    assertEquals(all.subList(0, 20), letIn);
    all.get(30).close().syncUninterruptibly();
    tick();
    assertEquals(44, letIn.size());
    assertFalse(letIn.contains(all.get(30)));
  }

  @Test
  void whoCameFirstIsReadFirst() {
    var _ = arrive(20);
    List<Channel> late = Stream.generate(ArrivalsTest::open).limit(3).toList();
    late.forEach(each -> arrivals.arrived(each, () -> letIn.add(each)));
    tick();
    InOrder order = inOrder(late.stream().map(Channel::config).toArray());
    for (Channel each : late) {
      order.verify(each.config()).setAutoRead(true);
    }
  }

  private static Channel open() {
    Channel channel = mock();
    ChannelConfig config = mock();
    when(channel.config()).thenReturn(config);
    when(channel.isOpen()).thenReturn(true);
    return channel;
  }

  @Test
  void whoIsGoneTakesNobodysTurn() {
    List<Channel> all = arrive(80);
    all.subList(20, 40).forEach(each -> each.close().syncUninterruptibly());
    tick();
    assertEquals(40, read(all.subList(40, 80)));
  }

  /** Else a server would tick for ever. */
  @Test
  void nothingTicksWhereNobodyComes() {
    var _ = arrive(1);
    tick();
    assertTrue(timers.isEmpty());
    assertEquals(1, read(arrive(1)));
    assertEquals(1, timers.size());
  }
}
