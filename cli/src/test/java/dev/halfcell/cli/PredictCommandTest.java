package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** {@code halfcell predict} with a run that {@code train} has written. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PredictCommandTest {
  private static final int SIDE = 28;
  private static final int PIXELS = SIDE * SIDE;

  private Path folder = Path.of("");

  @BeforeAll
  void train(@TempDir Path all) throws IOException {
    folder = all;
    var _ = TinyFashion.write(Files.createDirectory(folder.resolve("data")));
    CommandLineRun trained =
        CommandLineRun.of(
            "train",
            "lenet5",
            "--device=cpu",
            "--data=" + folder.resolve("data"),
            "--epochs=4",
            "--batch-size=5",
            "--quiet",
            "--out=" + folder.resolve("run"));
    assertEquals(0, trained.exitCode(), trained.err());
  }

  private CommandLineRun predict(String... more) {
    Stream<String> first = Stream.of("predict", folder.resolve("run").toString());
    return CommandLineRun.of(Stream.concat(first, Arrays.stream(more)).toArray(String[]::new));
  }

  /** The test images of the data set as they lie in its file. */
  private byte[] testImages() throws IOException {
    byte[] file = Files.readAllBytes(folder.resolve("data").resolve("t10k-images-idx3-ubyte"));
    return Arrays.copyOfRange(file, 16, file.length);
  }

  private String npy(String name, String descr, String shape, byte[] elements) throws IOException {
    String header =
        "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + shape + "), }\n";
    ByteBuffer file =
        ByteBuffer.allocate(10 + header.length() + elements.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0})
            .putShort((short) header.length())
            .put(header.getBytes(StandardCharsets.US_ASCII))
            .put(elements);
    return Files.write(folder.resolve(name), file.array()).toString();
  }

  private String png(String name, int type, byte[] grey, int width, int height) throws IOException {
    BufferedImage image = new BufferedImage(width, height, type);
    for (int i = 0; i < width * height; i++) {
      int value = grey[i] & 0xFF;
      if (type == BufferedImage.TYPE_BYTE_GRAY) {
        image.getRaster().setSample(i % width, i / width, 0, value);
      } else {
        image.setRGB(i % width, i / width, 0xFF000000 | value * 0x010101);
      }
    }
    Path file = folder.resolve(name);
    assertTrue(ImageIO.write(image, "png", file.toFile()));
    return file.toString();
  }

  /** What is said of each image, without the file's name. */
  private static List<String> said(CommandLineRun run) {
    assertEquals(0, run.exitCode(), run.err());
    return run.outLines().stream()
        .map(line -> line.replaceAll("\"file\":\"[^\"]*\",", ""))
        .toList();
  }

  @Test
  void theShareOfRightPredictionsOfTheTestImagesIsTheTestAccuracy() throws IOException {
    String images = npy("test.npy", "|u1", TinyFashion.TEST + ", 1, 28, 28", testImages());
    List<String> lines = said(predict(images, "--json", "--top=1"));
    assertEquals(TinyFashion.TEST, lines.size());
    long right =
        IntStream.range(0, lines.size())
            .filter(i -> lines.get(i).contains("\"class\":" + i % 10 + ","))
            .count();
    String summary = Files.readString(folder.resolve("run").resolve("summary.json"));
    String accuracy = "\"test_accuracy\" : " + (double) right / TinyFashion.TEST + ",";
    assertTrue(summary.contains(accuracy), () -> accuracy + " in " + summary);
  }

  /**
   * The mean of -log of what is predicted for each right class is the loss that an evaluation finds
   * only where images are changed as it changes them: by what draws nothing, once.
   */
  @Test
  void imagesAreNormalizedAsTestImagesAreAndNotChangedAtRandom() throws IOException {
    Path job = folder.resolve("normalized.yaml");
    Files.writeString(
        job,
        """
        network: {name: lenet5}
        dataset:
          config:
            augmentations:
              - {augmentation: RandomCrop, padding: 8}
              - {augmentation: Normalize, mean: 0.5, deviation: 2}
              - {augmentation: CutOut, length: 20}
        training: {epochs: 1, batchSize: 5}
        device: cpu
        """);
    String run = folder.resolve("normalized").toString();
    String data = "--data=" + folder.resolve("data");
    CommandLineRun trained =
        CommandLineRun.of("train", "--config=" + job, data, "--quiet", "--out=" + run);
    assertEquals(0, trained.exitCode(), trained.err());
    String images = npy("normalized.npy", "|u1", TinyFashion.TEST + ", 1, 28, 28", testImages());
    List<String> lines = said(CommandLineRun.of("predict", run, images, "--json", "--top=10"));
    double sum = 0;
    for (int i = 0; i < TinyFashion.TEST; i++) {
      sum -= Math.log(number(lines.get(i), "\"class\":" + i % 10 + ",.*?\"probability\":"));
    }
    String scores = said(CommandLineRun.of("evaluate", run, "--json")).getFirst();
    assertEquals(number(scores, "\"test_loss\":"), sum / TinyFashion.TEST, 1e-6);
  }

  private static double number(String line, String before) {
    Matcher found = Pattern.compile(before + "([-+.\\dE]+)").matcher(line);
    assertTrue(found.find(), () -> before + " in " + line);
    return Double.parseDouble(found.group(1));
  }

  @Test
  void anImageIsTheSameAsAPictureAndAsAnArrayOfEveryKind() throws IOException {
    byte[] image = Arrays.copyOf(testImages(), PIXELS);
    ByteBuffer small = ByteBuffer.allocate(4 * PIXELS).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer large = ByteBuffer.allocate(8 * PIXELS);
    for (byte pixel : image) {
      float scaled = (float) (((pixel & 0xFF) / 255.0 - 0.2860) / 0.3530);
      small.putFloat(scaled);
      large.putDouble(scaled);
    }
    List<String> files =
        List.of(
            npy("u1.npy", "|u1", "28, 28", image),
            npy("f4.npy", "<f4", "1, 28, 28", small.array()),
            npy("f8.npy", ">f8", "1, 1, 28, 28", large.array()),
            png("grey.png", BufferedImage.TYPE_BYTE_GRAY, image, SIDE, SIDE),
            png("colour.png", BufferedImage.TYPE_INT_RGB, image, SIDE, SIDE),
            png("alpha.png", BufferedImage.TYPE_INT_ARGB, image, SIDE, SIDE));
    List<String> lines =
        said(predict(Stream.concat(Stream.of("--json"), files.stream()).toArray(String[]::new)));
    assertEquals(files.size(), lines.size());
    assertEquals(List.of(lines.getFirst()), lines.stream().distinct().toList());
  }

  /** The frame of zeros is what the data set has around its own images. */
  @Test
  void anImageOfTheNetworksSizeIsTakenAsItIs() throws IOException {
    byte[] image = Arrays.copyOf(testImages(), PIXELS);
    ByteBuffer framed = ByteBuffer.allocate(4 * 32 * 32).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < PIXELS; i++) {
      float scaled = (float) (((image[i] & 0xFF) / 255.0 - 0.2860) / 0.3530);
      framed.putFloat(4 * ((i / SIDE + 2) * 32 + i % SIDE + 2), scaled);
    }
    String own = npy("own.npy", "|u1", "1, 28, 28", image);
    String whole = npy("whole.npy", "<f4", "1, 32, 32", framed.array());
    List<String> lines = said(predict("--json", own, whole));
    assertEquals(lines.getFirst(), lines.getLast());
  }

  @Test
  void linesForPeopleNameClassesAndProbabilities() throws IOException {
    String file = npy("line.npy", "|u1", "28, 28", new byte[PIXELS]);
    CommandLineRun run = predict(file);
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(
        run.out()
            .matches(
                "(?s).*line\\.npy\\[0]: [A-Z][\\w/ -]+ \\d+\\.\\d\\d %(, [\\w/ -]+ \\d+\\.\\d\\d %){2}\\R"),
        run.out());
    List<String> all = said(predict(file, "--json", "--top=99"));
    assertEquals(10, all.getFirst().split("\"class\":", -1).length - 1);
    assertTrue(all.getFirst().contains("\"name\":\"Ankle boot\""), all.getFirst());
  }

  @Test
  void imagesThatDoNotFitAreRefusedWithBothSizes() throws IOException {
    String png = png("large.png", BufferedImage.TYPE_BYTE_GRAY, new byte[30 * 40], 40, 30);
    assertRefused(predict(png), "[1, 28, 28]", "[1, 32, 32]", "[1, 30, 40]", "large.png");
    String many = npy("many.npy", "|u1", "2, 28, 28", new byte[2 * PIXELS]);
    assertRefused(predict(many), "[2, 28, 28]");
    String five = npy("five.npy", "|u1", "1, 1, 1, 28, 28", new byte[PIXELS]);
    assertRefused(predict(five), "[N, C, H, W]");
  }

  @Test
  void whatIsNoImageIsALine() throws IOException {
    byte[] nan = new byte[4 * PIXELS];
    Arrays.fill(nan, (byte) 0xFF);
    assertRefused(predict(npy("nan.npy", "<f4", "28, 28", nan)), "finite", "NaN in image 0");
    assertRefused(predict(npy("long.npy", "<i8", "28, 14", nan)), "<i8");
    Path text = Files.writeString(folder.resolve("text.png"), "no picture");
    assertRefused(predict(text.toString()), "text.png", "numpy.save");
    Path whole = Path.of(png("cut.png", BufferedImage.TYPE_BYTE_GRAY, nan, SIDE, SIDE));
    byte[] png = Files.readAllBytes(whole);
    Files.write(whole, Arrays.copyOf(png, png.length - 30));
    assertRefused(predict(whole.toString()), "cut.png", "PNG");
    assertRefused(predict(folder.resolve("none.npy").toString()), "none.npy", "a file");
    assertRefused(predict(folder.toString()), "something else");
    assertRefused(ExitCode.BAD_ARGUMENTS, predict(), "FILE");
    assertRefused(
        ExitCode.BAD_ARGUMENTS,
        CommandLineRun.of("predict", folder.toString(), text.toString()),
        "run.json");
    BufferedImage glass = new BufferedImage(SIDE, SIDE, BufferedImage.TYPE_INT_ARGB);
    assertTrue(ImageIO.write(glass, "png", folder.resolve("glass.png").toFile()));
    assertRefused(predict(folder.resolve("glass.png").toString()), "transparent");
  }

  /** Batches are of five images: what is wrong in the second is found before the first. */
  @Test
  void aNumberThatIsNotFiniteIsRefusedBeforeAnyLine() throws IOException {
    ByteBuffer images = ByteBuffer.allocate(4 * 7 * PIXELS).order(ByteOrder.LITTLE_ENDIAN);
    images.putFloat(4 * 6 * PIXELS, Float.NaN);
    CommandLineRun run = predict(npy("late.npy", "<f4", "7, 1, 28, 28", images.array()));
    assertRefused(run, "late.npy", "NaN in image 6");
    assertEquals(List.of(), run.outLines());
  }

  private static void assertRefused(CommandLineRun run, String... parts) {
    assertRefused(ExitCode.DISK_OR_DATA, run, parts);
  }

  private static void assertRefused(int exitCode, CommandLineRun run, String... parts) {
    assertEquals(exitCode, run.exitCode(), run.err());
    assertEquals(1, run.errLines().size(), run.err());
    for (String part : parts) {
      assertTrue(run.err().contains(part), () -> part + " in " + run.err());
    }
  }
}
