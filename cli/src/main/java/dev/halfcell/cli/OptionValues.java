package dev.halfcell.cli;

import dev.halfcell.amp.diagnosis.Demotion;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.data.Loading;
import dev.halfcell.op.PathPattern;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.op.precision.FixedScale;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.train.diagnosis.Trap;
import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.Networks;
import dev.halfcell.zoo.RunSchedule;
import dev.halfcell.zoo.data.SyntheticData;
import dev.halfcell.zoo.host.ByteCount;
import dev.halfcell.zoo.run.SavedValues;
import java.math.BigDecimal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How the text of an option becomes a value; what makes none is refused before anything runs. */
final class OptionValues {
  private OptionValues() {}

  static final class Network implements ITypeConverter<NetworkDefinition> {
    @Override
    public NetworkDefinition convert(String text) {
      return accepted(() -> Networks.named(text));
    }
  }

  static final class LevelName implements ITypeConverter<Level> {
    @Override
    public Level convert(String text) {
      return accepted(() -> Level.of(text));
    }
  }

  static final class Half implements ITypeConverter<DType> {
    @Override
    public DType convert(String text) {
      return switch (text) {
        case "fp16" -> DType.FP16;
        case "bf16" -> DType.BF16;
        default -> throw refused("fp16 or bf16", text);
      };
    }
  }

  static final class Overflow implements ITypeConverter<CastOverflow> {
    @Override
    public CastOverflow convert(String text) {
      return switch (text) {
        case "inf" -> CastOverflow.INF;
        case "nan" -> CastOverflow.NAN;
        case "saturate" -> CastOverflow.SATURATE;
        default -> throw refused("inf, nan or saturate", text);
      };
    }
  }

  static final class PartialsOfCells implements ITypeConverter<PartialsOption> {
    @Override
    public PartialsOption convert(String text) {
      int sign = text.lastIndexOf('=');
      Optional<String> cells =
          Optional.of(text.substring(0, Math.max(0, sign))).filter(_ -> sign >= 0);
      accepted(() -> cells.map(PathPattern::new));
      return new PartialsOption(cells, dtype(text.substring(sign + 1), text));
    }

    private static DType dtype(String name, String text) {
      return switch (name) {
        case "fp32" -> DType.FP32;
        case "fp16" -> DType.FP16;
        case "bf16" -> DType.BF16;
        default -> throw refused("fp16, bf16 or fp32, alone or as PATTERN=fp16", text);
      };
    }
  }

  static final class Truth implements ITypeConverter<Boolean> {
    @Override
    public Boolean convert(String text) {
      return switch (text) {
        case "true" -> true;
        case "false" -> false;
        default -> throw refused("true or false", text);
      };
    }
  }

  static final class Count implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return whole(text, 1, Integer.MAX_VALUE);
    }
  }

  static final class Workers implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return whole(text, 0, Loading.MOST_WORKERS);
    }
  }

  static final class Port implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return whole(text, 0, 65_535);
    }
  }

  /** Seconds for which a server is asked to wait. */
  static final class Wait implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return Duration.ofSeconds(whole(text, 0, 60));
    }
  }

  /** A server knows its folders itself. */
  static final class Synthetic implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      if (!text.equals(SyntheticData.NAME)) {
        throw refused("synthetic, for a server looks for data where it knows", text);
      }
      return text;
    }
  }

  /** Where a server keeps jobs; what may hold a password is never repeated. */
  static final class Store implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      boolean database = text.matches("postgres(ql)?://[^/\\s]+/\\S+");
      if (!database && !text.equals("sqlite")) {
        throw refused("sqlite or postgres://HOST/NAME", "another");
      }
      if (database && text.matches("[^:]+://[^/@]*:[^/@]*@.*|.*[?&]password=.*")) {
        throw refused("an address without the password: --settings may hold it", "one with it");
      }
      return text;
    }
  }

  /** The same of a server that is one of several. */
  static final class SharedStore implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      if (text.equals("sqlite")) {
        throw refused(
            "postgres://HOST/NAME, for SQLite's file is of one server alone, which trains its jobs"
                + " itself",
            text);
      }
      return new Store().convert(text);
    }
  }

  private static int whole(String text, int least, int most) {
    String expected = "a whole number from " + least + " to " + most;
    try {
      int count = Integer.parseInt(text);
      if (count < least || count > most) {
        throw refused(expected, text);
      }
      return count;
    } catch (NumberFormatException e) {
      throw refused(expected, text);
    }
  }

  /** A number of bytes, as the key of a file takes it too. */
  static final class Size implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return text.matches("[1-9][0-9]{0,17}")
          ? Long.parseLong(text)
          : ByteCount.of(text).orElseThrow(() -> refused(ByteCount.EXPECTED, text));
    }
  }

  static final class Seed implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException e) {
        throw refused("a whole number from " + Long.MIN_VALUE + " to " + Long.MAX_VALUE, text);
      }
    }
  }

  /** A file or folder; what the system's character set cannot say is no name of one. */
  static final class FileName implements ITypeConverter<Path> {
    @Override
    public Path convert(String text) {
      try {
        return Path.of(text);
      } catch (InvalidPathException e) {
        throw refused("a name that files can have in this locale (LC_ALL=C.UTF-8 has all)", text);
      }
    }
  }

  /** A file with values, or the newest one. */
  static final class Saved implements ITypeConverter<SavedValues> {
    @Override
    public SavedValues convert(String text) {
      return text.equals("last")
          ? new SavedValues.Newest()
          : new SavedValues.Of(new FileName().convert(text));
    }
  }

  static final class Rate implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      return positive(text, "a finite number above 0");
    }
  }

  static final class Decay implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      return isZero(text) ? 0.0 : positive(text, "0 or a finite number above it");
    }

    /** However it is written; what is merely too small for a number is not 0. */
    private static boolean isZero(String text) {
      try {
        return new BigDecimal(text).signum() == 0;
      } catch (NumberFormatException e) {
        return false;
      }
    }
  }

  static final class Course implements ITypeConverter<RunSchedule> {
    @Override
    public RunSchedule convert(String text) {
      return accepted(() -> new RunSchedule(text));
    }
  }

  /** The name of a loss scale, or a number; which rule it is depends on the 16-bit type too. */
  static final class ScaleName implements ITypeConverter<Object> {
    @Override
    public Object convert(String text) {
      return accepted(() -> LossScale.named(text, DType.FP16)) instanceof FixedScale fixed
          ? (Object) fixed.scale()
          : text;
    }
  }

  /** Names of floating-point exceptions, with commas between them. */
  static final class Traps implements ITypeConverter<Traps.Named> {
    /** Some of them; a list alone would be an option that may be given several times. */
    record Named(List<Trap> traps) {}

    @Override
    public Named convert(String text) {
      return new Named(Arrays.stream(text.split(",", -1)).map(Traps::named).toList());
    }

    private static Trap named(String name) {
      return switch (name) {
        case "oflo" -> Trap.OFLO;
        case "inv" -> Trap.INV;
        case "div0" -> Trap.DIV0;
        default -> throw refused("oflo, inv or div0, with commas between them", name);
      };
    }
  }

  /** Names with commas between them. */
  static final class Names implements ITypeConverter<Names.Listed> {
    /** Some of them; a list alone would be an option that may be given several times. */
    record Listed(List<String> names) {}

    @Override
    public Listed convert(String text) {
      return new Listed(List.of(text.split(",", -1)));
    }
  }

  static final class DemotionRule implements ITypeConverter<Demotion> {
    @Override
    public Demotion convert(String text) {
      String[] numbers = text.split(",", -1);
      if (numbers.length != 2) {
        throw refused("two numbers of steps, as 3,200", text);
      }
      int after = new Count().convert(numbers[0]);
      int within = new Count().convert(numbers[1]);
      return accepted(() -> new Demotion(after, within));
    }
  }

  /** A number above 0 that is so in FP32 too, which is what the steps compute with. */
  private static double positive(String text, String expected) {
    try {
      double value = Double.parseDouble(text);
      if ((float) value > 0 && Float.isFinite((float) value)) {
        return value;
      }
      throw refused(expected, text);
    } catch (NumberFormatException e) {
      throw refused(expected, text);
    }
  }

  private static <T> T accepted(Supplier<T> value) {
    try {
      return value.get();
    } catch (ArgumentException e) {
      Problem problem = e.problem();
      throw new TypeConversionException(
          problem.subject()
              + ": expected "
              + problem.expected()
              + ", got "
              + problem.got()
              + "."
              + (problem.fix().isEmpty() ? "" : " " + problem.fix()));
    }
  }

  private static TypeConversionException refused(String expected, String got) {
    return new TypeConversionException("expected " + expected + ", got '" + got + "'.");
  }
}
