package dev.halfcell.gpu.driver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.tensor.MemoryException;
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

/** The driver layer, through the real JCuda, on the emulated GPU. */
final class DriverTest {
  private static final int ILLEGAL_ADDRESS = 700;
  private static final int LAUNCH_FAILED = 719;
  private static final int CAPTURE_UNSUPPORTED = 900;

  private final EmulatedGpu rig = EmulatedGpu.build();
  private GpuDevice device;
  private GpuStream stream;
  private GpuModule module;

  @BeforeEach
  void open() throws IOException {
    device = rig.open();
    stream = device.stream();
    module = device.module("rig", ptx());
  }

  @AfterEach
  void close() {
    rig.recover();
    module.close();
    stream.close();
    device.close();
  }

  private static String ptx() throws IOException {
    try (InputStream in = DriverTest.class.getResourceAsStream("rig.ptx")) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  private static float[] counting(int n) {
    float[] values = new float[n];
    for (int i = 0; i < n; i++) {
      values[i] = i;
    }
    return values;
  }

  private GpuArena uploaded(float... values) {
    GpuArena arena = device.allocate(4L * values.length);
    try (PinnedMemory host = device.pinned(4L * values.length)) {
      MemorySegment.copy(values, 0, host.memory(), ValueLayout.JAVA_FLOAT, 0, values.length);
      stream.upload(host.memory(), arena.memory());
      stream.synchronize();
    }
    return arena;
  }

  private float[] downloaded(GpuArena arena) {
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

  private float[] sums(float[] values, long seed) {
    rig.seed(seed);
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
  void aMissingBarrierShows() {
    float[] expected = new float[256];
    for (int i = 0; i < 256; i++) {
      expected[i] = 255 - i;
    }
    assertArrayEquals(expected, reversed(1));
    assertFalse(java.util.Arrays.equals(expected, reversed(0)), "without its barrier");
  }

  private float[] reversed(int barrier) {
    rig.seed(7);
    try (GpuArena x = uploaded(counting(256));
        GpuArena y = uploaded(new float[256])) {
      module
          .kernel("reverse")
          .launch(
              stream,
              Size.of(1),
              Size.of(256),
              List.of(
                  new Argument.Address(x.memory()),
                  new Argument.Address(y.memory()),
                  new Argument.Int32(barrier)));
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
  void nothingIsDoneBeforeSomebodyWaitsForIt() {
    try (PinnedMemory host = device.pinned(4);
        GpuArena y = uploaded(5)) {
      host.memory().set(ValueLayout.JAVA_FLOAT, 0, -1);
      stream.download(y.memory(), host.memory());
      assertEquals(-1, host.memory().get(ValueLayout.JAVA_FLOAT, 0));
      stream.synchronize();
      assertEquals(5, host.memory().get(ValueLayout.JAVA_FLOAT, 0));
    }
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
      assertFalse(after.reached());
      after.synchronize();
      assertTrue(after.reached());
      assertTrue(after.millisSince(before) >= 0);
    }
  }

  @Test
  void barriersThatNeverMeetAreAnError() {
    module.kernel("diverge").launch(stream, Size.of(1), Size.of(64), List.of());
    DriverCallException failed =
        assertThrows(DriverCallException.class, () -> stream.synchronize());
    assertEquals(LAUNCH_FAILED, failed.code());
    assertTrue(failed.problem().message().contains("diverge"), failed.problem().message());
  }

  @Test
  void writingBehindMemoryIsAnError() {
    try (GpuArena x = uploaded(counting(64))) {
      module
          .kernel("write_behind")
          .launch(
              stream,
              Size.of(1),
              Size.of(32),
              List.of(new Argument.Address(x.memory()), new Argument.Int32(64)));
      DriverCallException failed =
          assertThrows(DriverCallException.class, () -> stream.synchronize());
      assertEquals(ILLEGAL_ADDRESS, failed.code());
      rig.recover();
    }
  }

  @Test
  void tooLittleMemoryIsSaidWithWhatToDo() {
    try {
      rig.memory(1 << 20);
      MemoryException refused =
          assertThrows(MemoryException.class, () -> device.allocate(2 << 20).close());
      assertEquals("2097152 bytes of GPU memory", refused.problem().expected());
      assertEquals("1048576 of 1048576 that are free", refused.problem().got());
      assertTrue(refused.problem().fix().contains("smaller batch"), refused.problem().fix());
    } finally {
      rig.memory(4L << 30);
    }
  }

  @Test
  void aKernelThatIsNotThereIsNamed() {
    DriverCallException refused =
        assertThrows(DriverCallException.class, () -> module.kernel("no_such_kernel"));
    assertTrue(
        refused.problem().message().contains("no_such_kernel in rig"), refused.problem().message());
  }

  @Test
  void textThatIsNoPtxIsRefused() {
    DriverCallException refused =
        assertThrows(DriverCallException.class, () -> device.module("text", "hello").close());
    assertTrue(refused.problem().message().contains("INVALID_PTX"), refused.problem().message());
  }

  @Test
  void aGpuThatTheMachineLacksIsRefused() {
    DriverMissingException refused =
        assertThrows(
            DriverMissingException.class,
            () -> GpuDevice.open(java.util.Optional.of(rig.library()), 1).close());
    assertTrue(refused.problem().message().contains("GPU 1"), refused.problem().message());
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

  @Test
  void allMemoryIsGivenBack() {
    long before = rig.allocations();
    GpuArena taken = device.allocate(1000);
    assertNotEquals(before, rig.allocations());
    taken.close();
    taken.close();
    assertEquals(before, rig.allocations());
  }

  @Test
  void theDeviceSaysWhatItIs() {
    assertEquals("emulated GPU", device.name());
    assertEquals(80, device.capability());
    assertEquals(13000, device.driverVersion());
    assertTrue(device.freeBytes() <= device.totalBytes());
  }
}
