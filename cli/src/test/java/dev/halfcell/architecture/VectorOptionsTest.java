package dev.halfcell.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.cpu.CpuProvider;
import dev.halfcell.zoo.host.JavaOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What {@code vector.options} has Java's compiler do reaches the loops it is meant for: it goes by
 * names of classes, and whoever adds a loop in vectors may choose another name.
 */
final class VectorOptionsTest {
  private static final String VECTORS = "jdk/incubator/vector/";
  private static final String EARLY = "-XX:CompileCommand=CompileThresholdScaling,*";
  private static final String ALONE = "-XX:CompileCommand=dontinline,*";

  /** A method of the CPU backend that computes in vectors. */
  private record InVectors(String type, String name, boolean loop, boolean callsHelper) {}

  @Test
  void loopsInVectorsAreCompiledEarly() throws Exception {
    List<InVectors> loops = inVectors().stream().filter(InVectors::loop).toList();
    assertTrue(loops.size() > 30, loops::toString);
    assertEquals(List.of(), others(loops, ends(EARLY)));
  }

  @Test
  void loopsThatCallHelpersAreCompiledAlone() throws Exception {
    List<InVectors> callers = inVectors().stream().filter(InVectors::callsHelper).toList();
    assertTrue(callers.size() > 20, callers::toString);
    assertEquals(List.of(), others(callers, ends(ALONE)));
  }

  private static List<InVectors> others(List<InVectors> methods, List<String> ends) {
    return methods.stream()
        .filter(method -> ends.stream().noneMatch(method.type()::endsWith))
        .toList();
  }

  /** What names of classes end with in the options that begin so. */
  private static List<String> ends(String begin) {
    return JavaOptions.fixed().stream()
        .filter(option -> option.startsWith(begin))
        .map(option -> option.substring(begin.length(), option.indexOf("::")))
        .toList();
  }

  private static List<InVectors> inVectors() throws Exception {
    URI place = CpuProvider.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    if (Files.isDirectory(Path.of(place))) {
      return inVectors(Path.of(place));
    }
    try (FileSystem jar = FileSystems.newFileSystem(Path.of(place), Map.of())) {
      return inVectors(jar.getPath("/"));
    }
  }

  private static List<InVectors> inVectors(Path classes) throws IOException {
    try (Stream<Path> files = Files.walk(classes)) {
      return files
          .filter(file -> file.toString().endsWith(".class"))
          .map(VectorOptionsTest::parsed)
          .flatMap(VectorOptionsTest::inVectors)
          .toList();
    }
  }

  private static ClassModel parsed(Path file) {
    try {
      return ClassFile.of().parse(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Those that make vectors; what is made once, where a class is initialized, aside. */
  private static Stream<InVectors> inVectors(ClassModel type) {
    return type.methods().stream()
        .filter(method -> !method.methodName().equalsString("<clinit>"))
        .filter(method -> calls(method).anyMatch(VectorOptionsTest::isOfVectors))
        .map(
            method ->
                new InVectors(
                    type.thisClass().asInternalName(),
                    method.methodName().stringValue(),
                    branches(method),
                    calls(method).anyMatch(VectorOptionsTest::isHelper)));
  }

  private static boolean isOfVectors(InvokeInstruction call) {
    return call.type().stringValue().contains(VECTORS);
  }

  private static boolean isHelper(InvokeInstruction call) {
    return isOfVectors(call) && call.owner().asInternalName().startsWith("dev/halfcell/");
  }

  private static boolean branches(MethodModel method) {
    return method.code().stream()
        .flatMap(code -> code.elementStream())
        .anyMatch(BranchInstruction.class::isInstance);
  }

  private static Stream<InvokeInstruction> calls(MethodModel method) {
    return method.code().stream()
        .flatMap(code -> code.elementStream())
        .filter(InvokeInstruction.class::isInstance)
        .map(InvokeInstruction.class::cast);
  }
}
