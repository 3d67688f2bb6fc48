package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever is wrong with a command line is one line and exit code 2, with its data code 6. */
final class BadArgumentsTest {
  @TempDir private Path folder;

  private Path data = Path.of("");

  @BeforeEach
  void writeData() throws IOException {
    data = TinyFashion.write(Files.createDirectory(folder.resolve("data")));
  }

  private static void assertRefused(CommandLineRun run, String... fragments) {
    assertEnds(2, run, fragments);
  }

  private static void assertEnds(int exitCode, CommandLineRun run, String... fragments) {
    assertEquals(exitCode, run.exitCode(), run.err());
    assertEquals(1, run.errLines().size(), run.err());
    assertTrue(run.err().startsWith("halfcell: "), run.err());
    assertFalse(run.err().contains("Exception"), run.err());
    for (String fragment : fragments) {
      assertTrue(run.err().contains(fragment), () -> fragment + " in: " + run.err());
    }
  }

  private CommandLineRun train(String... more) {
    String[] arguments = new String[7 + more.length];
    String[] first = {
      "train",
      "lenet5",
      "--device=reference",
      "--data=" + data,
      "--epochs=1",
      "--batch-size=40",
      "--quiet"
    };
    System.arraycopy(first, 0, arguments, 0, first.length);
    System.arraycopy(more, 0, arguments, first.length, more.length);
    return CommandLineRun.of(arguments);
  }

  @Test
  void anEpsilonThatHalfParametersRoundToZero() {
    assertRefused(
        train("--half-parameters", "--stochastic-rounding", "--optimizer=adam"), "epsilon", "fp16");
  }

  @ParameterizedTest
  @CsvSource({
    "train lenet6,                          'lenet6', lenet5",
    "train lenet5 --level O4,               --level, O4",
    "train lenet5 --half fp8,               --half, fp8",
    "explain lenet5 --keep-batchnorm-fp32 1, --keep-batchnorm-fp32, '1'",
    "plan-diff lenet5 O1 O9,                O9, auto",
    "plan-diff lenet5 O1,                   LEVEL, plan-diff",
    "plan-diff lenet6 O1 O2,                'lenet6', lenet5",
    "train lenet5 --level O0 --cast-overflow nan,   castOverflow, O0",
    "train lenet5 --level O0 --stochastic-rounding, stochasticRounding, O0",
    "summary lenet5 --compare --level O2,   --level, --compare",
    "train lenet5 --cast-overflow max,      --cast-overflow, 'inf, nan or saturate'",
    "train lenet5 --partials half,          --partials, 'fp16, bf16 or fp32'",
    "explain lenet5 --partials /fc1=fp8,    --partials, PATTERN=fp16",
    "train lenet5 --partials fc1=fp16,      --partials, 'begins with /'",
    "train lenet5 --device=reference --partials /fc9=fp16, partials, matches none",
    "train lenet5 --device=cpu --partials fp16, 'fp16 on request', reference",
    "explain lenet5 --partials fp16 --partials bf16, 'one type for everywhere', 'got two'",
    "train lenet5 --half-parameters,        halfParameters, stochasticRounding",
    "explain lenet5 --half-parameters,      halfParameters, half a place",
    "train lenet5 --batch-size 0,           --batch-size, from 1",
    "train lenet5 --batch-size 1.5,         --batch-size, 1.5",
    "train lenet5 --epochs 0,               --epochs, from 1",
    "train lenet5 --epochs -3,              --epochs, -3",
    "train lenet5 --learning-rate NaN,      --learning-rate, NaN",
    "train lenet5 --learning-rate 0,        --learning-rate, above 0",
    "train lenet5 --learning-rate -0.1,     --learning-rate, above 0",
    "train lenet5 --learning-rate Infinity, --learning-rate, finite",
    "train lenet5 --learning-rate 1e60,     --learning-rate, finite",
    "train lenet5 --optimizer lion,         --optimizer, momentum",
    "train lenet5 --optimizer=adam --config=/no/file, /no/file, JSON",
    "train lenet5 --epochs 20000,           /training/epochs, 10000",
    "train lenet5 --epochs 2 --steps 3,     /training/steps, epochs",
    "train lenet5 --schedule steps,         --schedule, cosine",
    "train lenet5 --schedule cosine:a=1,    'schedule cosine: expected keys end', 'a'",
    "train lenet5 --schedule step:every=0,  'schedule step, every', 'from 1'",
    "train lenet5 --weight-decay NaN,       --weight-decay, NaN",
    "train lenet5 --weight-decay -1,        --weight-decay, '0 or a finite'",
    "train lenet5 --clip-norm 0,            --clip-norm, above 0",
    "train lenet5 --accumulate 0,           --accumulate, from 1",
    "train lenet5 --fp-exceptions oflow,    --fp-exceptions, div0",
    "train lenet5 --demotion 3,             --demotion, two numbers",
    "summary lenet5 --measure 3,            --measure, --compare",
    "train lenet5 --loss-scale abc,         --loss-scale, dynamic",
    "train lenet5 --loss-scale pytroch,     'deepspeed-fused', 'pytorch, apex'",
    "train lenet5 --loss-scale 0,           --loss-scale, above 0",
    "train lenet5 --loss-scale -1,          --loss-scale, above 0",
    "train lenet5 --loss-scale NaN,         --loss-scale, finite",
    "train lenet5 --overflow-policy never,  overflowPolicy, 'retry:N'",
    "train lenet5 --overflow-policy retry:0, overflowPolicy, 'at least 1'",
    "train lenet5 --overflow-policy retry:x, overflowPolicy, 'retry:N'",
    "train lenet5 --ema 1,                  /training/ema, 'below 1'",
    "train lenet5 --ema x,                  --ema, finite",
    "train lenet5 --seed ten,               --seed, 'a whole number'",
    "train lenet5 --seed 9223372036854775808, --seed, 9223372036854775807",
    "train lenet5 --device tpu,             device, tpu",
    "train lenet5 --epochs 1 --epochs 2,    --epochs, once",
    "train lenet5 --levle O2,               --levle, Unknown",
    "train,                                 /network, lenet5",
    "trian lenet5,                          trian, Did you mean train",
    "explain lenet5 --level 2,              --level, O3",
    "explain resnet,                        NETWORK, lenet5",
    "verify /no/such/folder,                /no/such/folder, folder",
    "'',                                    train, explain"
  })
  void argumentsAreRefused(String line, String first, String second) {
    String[] arguments = line.isEmpty() ? new String[0] : line.split(" ");
    assertRefused(CommandLineRun.of(arguments), first, second);
  }

  @Test
  void dataThatIsNotThereIsRefused() {
    assertRefused(
        CommandLineRun.of(
            "train", "lenet5", "--device=reference", "--data=" + folder.resolve("none")),
        "none",
        "embedded");
  }

  @Test
  void truncatedImagesAreRefused() throws IOException {
    try (RandomAccessFile file = open("train-images-idx3-ubyte")) {
      file.setLength(file.length() - 1);
    }
    assertEnds(6, train(), "train-images-idx3-ubyte");
  }

  @Test
  void wrongMagicIsRefused() throws IOException {
    try (RandomAccessFile file = open("t10k-labels-idx1-ubyte")) {
      file.writeInt(2050);
    }
    assertEnds(6, train(), "t10k-labels-idx1-ubyte");
  }

  @Test
  void labelOutOfRangeIsRefused() throws IOException {
    try (RandomAccessFile file = open("train-labels-idx1-ubyte")) {
      file.seek(8 + 3);
      file.writeByte(10);
    }
    assertEnds(6, train(), "train-labels-idx1-ubyte", "10");
  }

  private RandomAccessFile open(String name) throws IOException {
    return new RandomAccessFile(data.resolve(name).toFile(), "rw");
  }

  @Test
  void aBatchLargerThanTheDataIsRefusedBeforeAFolderIsMade() {
    Path run = folder.resolve("run");
    CommandLineRun refused =
        CommandLineRun.of(
            "train",
            "lenet5",
            "--device=reference",
            "--data=" + data,
            "--batch-size=4000",
            "--out=" + run);
    assertRefused(refused, "batch size", "at most the 40", "4000");
    assertEquals("", refused.out());
    assertFalse(Files.exists(run));
  }

  /** Neither a folder nor a file of this name, less the @, is read for arguments. */
  @Test
  void aNameThatBeginsWithAnAtIsANameLikeAnyOther() throws IOException {
    assertRefused(CommandLineRun.of("evaluate", "@" + folder), "@" + folder, "run.json");
    Path words = Files.writeString(folder.resolve("words"), "--version");
    assertRefused(CommandLineRun.of("evaluate", "@" + words), "@" + words);
  }

  @Test
  void namesThatNoFileCanHaveAreRefused() {
    assertRefused(train("--out=a\0b"), "--out", "a name that files can have");
    assertRefused(CommandLineRun.of("verify", "a\0b"), "DIR", "a name that files can have");
  }

  @Test
  void outThatIsAFileIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("taken"), "mine");
    assertRefused(train("--out=" + file), "--out", "taken");
    assertEquals("mine", Files.readString(file));
  }

  @Test
  void outBelowAFileIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("taken"), "mine");
    assertRefused(train("--out=" + file.resolve("run")), "--out", "a file " + file);
  }

  @Test
  void outThatHoldsFilesIsRefusedAndLeftAlone() throws IOException {
    Path run = Files.createDirectory(folder.resolve("run"));
    Files.writeString(run.resolve("summary.json"), "{}");
    assertRefused(train("--out=" + run), "--out", "holds files");
    assertAll(
        () -> assertEquals("{}", Files.readString(run.resolve("summary.json"))),
        () -> assertFalse(Files.exists(run.resolve("metrics.jsonl"))));
  }
}
