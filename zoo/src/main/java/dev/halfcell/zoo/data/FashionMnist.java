package dev.halfcell.zoo.data;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.TensorSpec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Fashion-MNIST: 70,000 grey images of clothes in ten classes. A sample of it, real images too,
 * comes with HalfCell: the 10,000 test images, the first 8,000 to train on and the rest to test on.
 *
 * <p>Source: Xiao, Rasul, Vollgraf, "Fashion-MNIST: a Novel Image Dataset for Benchmarking Machine
 * Learning Algorithms", 2017.
 */
public final class FashionMnist {
  /** Its name in reports, and that of its folder. */
  public static final String NAME = "fashion-mnist";

  /** The choice that stands for the sample that comes with HalfCell. */
  public static final String EMBEDDED = "embedded";

  /** How to get the whole of it. */
  public static final String HOW_TO_GET =
      "Install the Debian package dataset-fashion-mnist, or put its four files into"
          + " ~/.halfcell/data/fashion-mnist.";

  private static final List<String> CLASS_NAMES =
      List.of(
          "T-shirt/top",
          "Trouser",
          "Pullover",
          "Dress",
          "Coat",
          "Sandal",
          "Shirt",
          "Sneaker",
          "Bag",
          "Ankle boot");

  private static final String TRAIN = "train";
  private static final String TEST = "t10k";
  private static final int SAMPLE_TRAIN = 8_000;

  private FashionMnist() {}

  /** What the zoo's list says of it. */
  public static DataSetDefinition definition() {
    return new DataSetDefinition(
        NAME,
        "70,000 grey images of clothes, 28 x 28, ten classes (Zalando, MIT licence)",
        "--data DIR, else ~/.halfcell/data/fashion-mnist, else /usr/share/datasets/fashion-mnist,"
            + " else the embedded sample of 10,000 images. "
            + HOW_TO_GET,
        ImageForm.PADDED,
        CLASS_NAMES,
        new DataSetDefinition.Size(60_000, 10_000, FashionImages.BYTES),
        ImageForm::new,
        FashionMnist::open,
        SampleFile::read);
  }

  /**
   * Reads it from the folder that {@code choice} names, or the embedded sample where the choice is
   * {@link #EMBEDDED}; without a choice from the usual folders, and the sample where there is none
   * of them.
   *
   * @throws ArgumentException where the choice names no folder
   * @throws DataException where the folder is not as it has to be
   */
  public static DataSplit open(Optional<String> choice) {
    return open(choice, ImageForm.PADDED);
  }

  /** The same in images of another form: {@link ImageForm} says which there are. */
  public static DataSplit open(Optional<String> choice, TensorSpec form) {
    return open(choice, new ImageForm(form), usualFolders());
  }

  static DataSplit open(Optional<String> choice, ImageForm form, List<Path> usual) {
    if (choice.isPresent()) {
      return choice.get().equals(EMBEDDED) ? embedded(form) : folder(chosen(choice.get()), form);
    }
    return installed(form, usual).orElseGet(() -> embedded(form));
  }

  /** The whole data set from the first of the usual folders that exists. */
  public static Optional<DataSplit> installed(TensorSpec form) {
    return installed(new ImageForm(form), usualFolders());
  }

  // A folder that is there but not as it has to be is an error, never a reason to look on.
  private static Optional<DataSplit> installed(ImageForm form, List<Path> usual) {
    return usual.stream().filter(Files::exists).findFirst().map(found -> folder(found, form));
  }

  private static List<Path> usualFolders() {
    return List.of(
        Path.of(System.getProperty("user.home"), ".halfcell", "data", NAME),
        Path.of("/usr/share/datasets", NAME));
  }

  /** The sample that comes with HalfCell. */
  public static DataSplit embedded() {
    return embedded(new ImageForm(ImageForm.PADDED));
  }

  private static DataSplit embedded(ImageForm form) {
    LabelledBytes all = pair(FashionMnist::resource, TEST);
    int test = all.size() - SAMPLE_TRAIN;
    String description = describe("embedded sample", SAMPLE_TRAIN, test);
    return new DataSplit(
        description,
        Optional.of(EMBEDDED),
        new FashionImages(description, form, all, 0, SAMPLE_TRAIN),
        new FashionImages(description, form, all, SAMPLE_TRAIN, test));
  }

  private static DataSplit folder(Path folder, ImageForm form) {
    LabelledBytes train = pair(name -> file(folder, name), TRAIN);
    LabelledBytes test = pair(name -> file(folder, name), TEST);
    String description = describe(folder.toString(), train.size(), test.size());
    return new DataSplit(
        description,
        Optional.of(folder.toAbsolutePath().toString()),
        new FashionImages(description, form, train, 0, train.size()),
        new FashionImages(description, form, test, 0, test.size()));
  }

  private static String describe(String place, int train, int test) {
    return String.format(Locale.ROOT, "%s (%s, %,d train / %,d test)", NAME, place, train, test);
  }

  private static LabelledBytes pair(Source source, String part) {
    Content images = source.of(part + "-images-idx3-ubyte");
    Content labels = source.of(part + "-labels-idx1-ubyte");
    return LabelledBytes.of(images.read(3), images.name(), labels.read(1), labels.name());
  }

  private static Content resource(String name) {
    String path = "/dev/halfcell/zoo/" + NAME + "/" + name + ".gz";
    return new Content(
        EMBEDDED + "/" + name + ".gz",
        () -> Objects.requireNonNull(FashionMnist.class.getResourceAsStream(path), path));
  }

  private static Content file(Path folder, String name) {
    Path file =
        Stream.of(folder.resolve(name + ".gz"), folder.resolve(name))
            .filter(candidate -> Files.exists(candidate, LinkOption.NOFOLLOW_LINKS))
            .findFirst()
            .orElseThrow(() -> error(folder.toString(), name + ".gz or " + name, "neither"));
    requireFile(file);
    return new Content(file.toString(), () -> opened(file));
  }

  private static InputStream opened(Path file) throws IOException {
    long size = Files.size(file);
    if (size > IdxFile.LARGEST) {
      String expected = "a file of at most " + IdxFile.LARGEST + " bytes";
      throw error(file.toString(), expected, String.valueOf(size));
    }
    return Files.newInputStream(file);
  }

  /** A pipe or a device would be waited for, or never end. */
  private static void requireFile(Path file) {
    if (!Files.isRegularFile(file)) {
      String link = Files.exists(file) ? "something else" : "a link to nothing";
      throw error(file.toString(), "a file", Files.isDirectory(file) ? "a folder" : link);
    }
  }

  /** A name that stands for no folder is a wrong argument, whatever the data. */
  private static Path chosen(String name) {
    try {
      Path folder = Path.of(name);
      if (Files.isDirectory(folder)) {
        return folder;
      }
      throw unknown(name, Files.exists(folder) ? "something else" : "none");
    } catch (InvalidPathException impossible) {
      throw unknown(name, "a name that no folder can have");
    }
  }

  private static ArgumentException unknown(String name, String got) {
    return new ArgumentException(problem(name, "a folder with the data set", got));
  }

  private static DataException error(String where, String expected, String got) {
    return new DataException(problem(where, expected, got));
  }

  private static Problem problem(String where, String expected, String got) {
    String fix = HOW_TO_GET + " Or take --data " + EMBEDDED + ".";
    return new Problem("Fashion-MNIST", where, expected, got, fix);
  }

  /** Finds a file by its name without ending. */
  @FunctionalInterface
  private interface Source {
    Content of(String name);
  }

  /** Opens a file. */
  @FunctionalInterface
  private interface Opening {
    InputStream stream() throws IOException;
  }

  /** A file, and its place as messages are to call it. */
  private record Content(String name, Opening opening) {
    IdxFile read(int axes) {
      try (InputStream in = opening.stream()) {
        return IdxFile.read(in, name, axes);
      } catch (IOException unreadable) {
        throw new DataException(
            problem(name, "a file that can be read", unreadable.toString()), unreadable);
      }
    }
  }
}
