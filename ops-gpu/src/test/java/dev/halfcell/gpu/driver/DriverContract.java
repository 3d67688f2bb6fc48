package dev.halfcell.gpu.driver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.tensor.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the driver layer does on any GPU, through the real JCuda. */
abstract class DriverContract {
  private static final int CAPTURE_UNSUPPORTED = 900;

  private GpuDevice device;
  private GpuStream stream;
  private GpuModule module;

  /** Opens the GPU that is held to the contract. */
  abstract GpuDevice openDevice();

  /** Makes the order of threads follow from the seed, where it can be chosen. */
  abstract void shuffle(long seed);

  @BeforeEach
  final void open() throws IOException {
    device = openDevice();
    stream = device.stream();
    module = device.module("rig", ptx());
  }

  @AfterEach
  final void close() {
    module.close();
    stream.close();
    device.close();
  }

  final GpuDevice device() {
    return device;
  }

  final GpuStream stream() {
    return stream;
  }

  final GpuKernel kernel(String name) {
    return module.kernel(name);
  }

  private static String ptx() throws IOException {
    try (InputStream in = DriverContract.class.getResourceAsStream("rig.ptx")) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  static float[] counting(int n) {
    float[] values = new float[n];
    for (int i = 0; i < n; i++) {
      values[i] = i;
    }
    return values;
  }

  final GpuArena uploaded(float... values) {
    GpuArena arena = device.allocate(4L * values.length);
    try (PinnedMemory host = device.pinned(4L * values.length)) {
      MemorySegment.copy(values, 0, host.memory(), ValueLayout.JAVA_FLOAT, 0, values.length);
      stream.upload(host.memory(), arena.memory());
      stream.synchronize();
    }
    return arena;
  }

  final float[] downloaded(GpuArena arena) {
    try (PinnedMemory host = device.pinned(arena.memory().bytes())) {
      stream.download(arena.memory(), host.memory());
      stream.synchronize();
      return host.memory().toArray(ValueLayout.JAVA_FLOAT);
    }
  }

  private void axpy(float factor, GpuArena x, GpuArena y, int n) {
    module
        .kernel("axpy")
        .launch(
            stream,
            Size.of(Math.ceilDiv(n, 256)),
            Size.of(256),
            List.of(
                new Argument.Float32(factor),
                new Argument.Address(x.memory()),
                new Argument.Address(y.memory()),
                new Argument.Int32(n)));
  }

  @Test
  void aKernelComputesOnEveryElement() {
    int n = 1000;
    try (GpuArena x = uploaded(counting(n));
        GpuArena y = uploaded(counting(n))) {
      axpy(2, x, y, n);
      float[] expected = counting(n);
      for (int i = 0; i < n; i++) {
        expected[i] *= 3;
      }
      assertArrayEquals(expected, downloaded(y));
    }
  }

  @Test
  void aReductionOfABlockGivesTheSameBitsWhateverTheOrderOfThreads() {
    float[] values = new float[5000];
    double exact = 0;
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.sin(i);
      exact += (double) values[i] * values[i];
    }
    float[] first = sums(values, 1);
    double sum = 0;
    for (float part : first) {
      sum += part;
    }
    assertEquals(exact, sum, 1e-3);
    for (long seed = 2; seed < 5; seed++) {
      assertArrayEquals(first, sums(values, seed), "seed " + seed);
    }
  }

  /** What blocks of more shared memory than code can say make of it, brought by copies ahead. */
  final float[] reversedAhead(int n, boolean waits) {
    GpuKernel reverse = module.kernel("reverse_ahead").sharing(4 * n, device.mostSharedBytes());
    try (GpuArena x = uploaded(counting(n));
        GpuArena y = uploaded(new float[n])) {
      reverse.launch(
          stream,
          Size.of(1),
          Size.of(256),
          List.of(
              new Argument.Address(x.memory()),
              new Argument.Address(y.memory()),
              new Argument.Int32(n),
              new Argument.Int32(waits ? 1 : 0)));
      return downloaded(y);
    }
  }

  @Test
  void aLaunchSaysHowMuchSharedMemoryABlockHas() {
    int n = device.mostSharedBytes() / 16 * 4;
    assertTrue(4 * n > 64 * 1024, n + " floats");
    float[] expected = new float[n];
    for (int i = 0; i < n; i++) {
      int from = n - 1 - i;
      expected[i] = from / 4 == 1 ? 0 : from;
    }
    assertArrayEquals(expected, reversedAhead(n, true));
  }

  @Test
  void moreSharedMemoryThanThereIsIsRefused() {
    GpuKernel kernel = module.kernel("reverse_ahead");
    int more = device.mostSharedBytes() + 16;
    assertThrows(DriverCallException.class, () -> kernel.sharing(more, more));
  }

  private float[] sums(float[] values, long seed) {
    shuffle(seed);
    try (GpuArena x = uploaded(values);
        GpuArena y = uploaded(new float[3])) {
      module
          .kernel("sum_of_squares")
          .launch(
              stream,
              Size.of(3),
              Size.of(256),
              List.of(
                  new Argument.Address(x.memory()),
                  new Argument.Address(y.memory()),
                  new Argument.Int32(values.length)));
      return downloaded(y);
    }
  }

  @Test
  void aGraphReplaysWhatWasCaptured() {
    int n = 300;
    try (GpuArena x = uploaded(counting(n));
        GpuArena y = uploaded(new float[n]);
        GpuGraph graph =
            stream.capture(
                () -> {
                  axpy(1, x, y, n);
                  axpy(2, x, y, n);
                })) {
      assertArrayEquals(new float[n], downloaded(y), "capturing runs nothing");
      assertEquals(2, graph.nodes());
      for (int run = 0; run < 3; run++) {
        graph.launch(stream);
      }
      float[] expected = counting(n);
      for (int i = 0; i < n; i++) {
        expected[i] *= 9;
      }
      assertArrayEquals(expected, downloaded(y));
    }
  }

  @Test
  void aCaptureTakesInStreamsThatWaitForItsEvents() {
    try (GpuStream second = device.stream();
        GpuEvent fork = device.event();
        GpuEvent join = device.event();
        GpuArena x = uploaded(counting(256));
        GpuArena y = uploaded(new float[256]);
        GpuGraph graph =
            stream.capture(
                () -> {
                  stream.record(fork);
                  second.await(fork);
                  second.copy(x.memory(), y.memory());
                  second.record(join);
                  stream.await(join);
                })) {
      graph.launch(stream);
      assertArrayEquals(counting(256), downloaded(y));
    }
  }

  @Test
  void waitingWhileCapturingIsRefusedAndTheStreamStaysUsable() {
    DriverCallException refused =
        assertThrows(DriverCallException.class, () -> stream.capture(stream::synchronize).close());
    assertEquals(CAPTURE_UNSUPPORTED, refused.code());
    assertTrue(
        refused.problem().message().contains("cuStreamSynchronize"), refused.problem().message());
    stream.capture(() -> {}).close();
  }

  @Test
  void takingMemoryWhileCapturingIsRefused() {
    DriverCallException refused =
        assertThrows(
            DriverCallException.class,
            () -> stream.capture(() -> device.allocate(16).close()).close());
    assertEquals(CAPTURE_UNSUPPORTED, refused.code());
  }

  @Test
  void anEventIsReachedWhenWhatCameBeforeItIsDone() {
    try (GpuEvent before = device.event();
        GpuEvent after = device.event();
        GpuArena x = uploaded(counting(256));
        GpuArena y = uploaded(counting(256))) {
      stream.record(before);
      axpy(1, x, y, 256);
      stream.record(after);
      after.synchronize();
      assertTrue(after.reached());
      assertTrue(after.millisSince(before) >= 0);
    }
  }

  @Test
  void aKernelThatIsNotThereIsNamed() {
    DriverCallException refused =
        assertThrows(DriverCallException.class, () -> module.kernel("no_such_kernel"));
    assertTrue(
        refused.problem().message().contains("no_such_kernel in rig"), refused.problem().message());
  }

  @ParameterizedTest
  @CsvSource({"hello, INVALID_IMAGE", ".version 7.0 hello, INVALID_PTX"})
  void textThatIsNoPtxIsRefused(String text, String error) {
    DriverCallException refused =
        assertThrows(DriverCallException.class, () -> device.module("text", text).close());
    assertTrue(refused.problem().message().contains(error), refused.problem().message());
  }

  @Test
  void aVirtualThreadIsRefused() throws InterruptedException {
    AtomicReference<String> said = new AtomicReference<>("");
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                device.enter();
              } catch (UsageException e) {
                said.set(e.problem().message());
              }
            })
        .join();
    assertTrue(String.valueOf(said.get()).contains("platform thread"), said::toString);
  }
}
