package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Collective;
import dev.halfcell.cpu.onednn.OneDnn;
import dev.halfcell.cpu.onednn.Region;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.lang.foreign.Arena;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tiles are read within the image, its zeros and the copies at its sides. */
final class WinogradImagesTest {
  private static final int CHANNELS = 32;
  private static final int SAMPLES = 2;

  /** Notes the tiles that it is asked for, and asserts where they are read. */
  private static final class Watched implements WinogradLoops {
    private Region[] known = {};
    private int tiles;

    private void assertWithin(long from, int count) {
      long bytes = 4L * CHANNELS * (2 * count + 2);
      boolean within =
          Stream.of(known)
              .anyMatch(
                  region ->
                      from >= region.data().address()
                          && from + bytes <= region.data().address() + region.bytes());
      assertTrue(within, () -> count + " tiles");
    }

    @Override
    public void image(long a, long b, boolean sums, long to, int count) {
      assertWithin(a, count);
      assertWithin(b, count);
      tiles += count;
    }

    @Override
    public void gradient(long a, long b, boolean sums, long to, int count) {
      throw new AssertionError("images alone");
    }

    @Override
    public void result(long from, boolean sums, long bias, long to, int count) {
      throw new AssertionError("images alone");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "5, 6, 1, 1",
    "8, 8, 1, 1",
    "1, 1, 2, 2",
    "1, 1, 2, 1",
    "2, 9, 0, 1",
    "7, 7, 2, 0",
    "3, 3, 0, 0",
    "4, 2, 1, 2",
    "2, 3, 2, 2"
  })
  void whatIsReadIsTheImages(int height, int width, int above, int before) {
    Shape y = Shape.of(SAMPLES, CHANNELS, height + above, width + before);
    TensorSpec spec = TensorSpec.of(DType.FP32, SAMPLES, CHANNELS, height, width);
    WinogradTiles tiles = WinogradTiles.of(y, above, before);
    Watched loops = new Watched();
    try (OneDnn onednn = OneDnn.open();
        Arena arena = Arena.ofConfined()) {
      KernelBuilder builder = new KernelBuilder(machine(onednn));
      Operand x = new Operand(spec, Layout.CHANNELS_LAST, new Region(spec.bytes()));
      WinogradImages images = new WinogradImages(builder, x, tiles, loops);
      try (Kernel kernel = builder.build()) {
        loops.known =
            Stream.concat(Stream.of(x.region()), kernel.workspaces().stream())
                .peek(region -> region.place(arena.allocate(region.bytes(), 64)))
                .toArray(Region[]::new);
        images.begin();
        for (int line = 0; line < SAMPLES * tiles.rows(); line++) {
          images.run(line, 0, 4L * CHANNELS * tiles.columns());
        }
      }
    }
    assertEquals(4 * SAMPLES * tiles.rows() * tiles.columns(), loops.tiles);
  }

  private static Machine machine(OneDnn onednn) {
    ComputedDtypes computed = new ComputedDtypes(Set.of(DType.FP32), Set.of(DType.FP32));
    return new Machine(onednn, 1, computed, Collective.single(), new ScratchPool());
  }
}
