package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What takes or gives a vector is a helper of loops. The JIT inlines it whatever it has counted so
 * far if it has few bytes of code (HotSpot's {@code MaxInlineSize}) and calls no further helper:
 * such a call counts as rare where its method ran long before anything was counted. Others were
 * inlined or not by chance, for the whole life of a process, and loops took up to five times as
 * long where they were not (ADR 0007).
 */
final class VectorHelpersTest {
  private static final int ALWAYS_INLINED = 35;
  private static final String VECTORS = "jdk/incubator/vector/";

  private record Helper(String name, int bytes, List<String> calls) {}

  private static Stream<Helper> helpers(ClassModel type) {
    String name = type.thisClass().asInternalName();
    return type.methods().stream()
        .filter(method -> method.methodType().stringValue().contains(VECTORS))
        .map(
            method ->
                new Helper(
                    name + "." + method.methodName(),
                    bytes(method),
                    calls(method).map(call -> call.name().stringValue()).toList()));
  }

  /** What it calls of the project. */
  private static Stream<InvokeInstruction> calls(MethodModel method) {
    return method
        .code()
        .orElseThrow()
        .elementStream()
        .filter(InvokeInstruction.class::isInstance)
        .map(InvokeInstruction.class::cast)
        .filter(call -> call.owner().asInternalName().startsWith("dev/halfcell/"));
  }

  private static int bytes(MethodModel method) {
    return method.findAttribute(Attributes.code()).orElseThrow().codeLength();
  }

  @Test
  void helpersAreInlinedWhateverWasCounted() {
    List<Helper> helpers =
        KernelClasses.all().stream().flatMap(VectorHelpersTest::helpers).toList();
    assertTrue(helpers.size() > 15, () -> "helpers that were found: " + helpers);
    List<Helper> byChance =
        helpers.stream()
            .filter(helper -> helper.bytes() > ALWAYS_INLINED || !helper.calls().isEmpty())
            .toList();
    assertEquals(List.of(), byChance);
  }

  /** Of methods that are inlined into larger ones, those that call a helper in vectors. */
  private static List<String> callers(Class<?> loops) {
    return KernelClasses.of(loops).methods().stream()
        .filter(method -> !method.methodType().stringValue().contains(VECTORS))
        .filter(method -> method.code().isPresent() && callsHelper(method))
        .map(method -> loops.getSimpleName() + "." + method.methodName())
        .toList();
  }

  private static boolean callsHelper(MethodModel method) {
    return calls(method).anyMatch(call -> call.type().stringValue().contains(VECTORS));
  }

  /**
   * The JIT inlines nothing but the inside of the Vector API into a method that has more nodes than
   * it takes (HotSpot's {@code NodeCountInliningCutoff}). A loop that was inlined there just before
   * would stay without its helpers, and all of its vectors be objects.
   */
  @Test
  void loopsThatAreInlinedIntoOthersCallNoHelper() {
    List<Class<?>> inlined =
        List.of(
            Bf16Vectors.class,
            ExponentialVectors.class,
            ActivationVectors.class,
            LstmVectors.class,
            RunningVectors.class);
    assertEquals(List.of(), inlined.stream().flatMap(type -> callers(type).stream()).toList());
  }
}
