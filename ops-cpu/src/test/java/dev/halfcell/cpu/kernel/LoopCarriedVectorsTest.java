package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A vector that a loop carries from round to round is added to what was just read, not the other
 * way round. The JIT knows of what was read which class of vectors it is. Of what is carried it
 * knows only if the inside of the Vector API has counted it before; where a loop is compiled
 * earlier, its vectors stay objects (ADR 0007).
 */
final class LoopCarriedVectorsTest {
  private static final String VECTORS = "jdk/incubator/vector/";

  @Test
  void whatALoopCarriesIsALastArgument() {
    List<MethodModel> methods = inVectors();
    assertTrue(methods.size() > 40, () -> "methods in vectors: " + methods.size());
    assertEquals(
        List.of(),
        methods.stream()
            .filter(method -> loops(code(method)).anyMatch(LoopCarriedVectorsTest::losesItsClass))
            .map(LoopCarriedVectorsTest::name)
            .toList());
  }

  private static List<MethodModel> inVectors() {
    return KernelClasses.all().stream()
        .flatMap(type -> type.methods().stream())
        .filter(method -> code(method).stream().anyMatch(LoopCarriedVectorsTest::isOfVectors))
        .toList();
  }

  private static String name(MethodModel method) {
    return method.parent().orElseThrow().thisClass().asInternalName() + "." + method.methodName();
  }

  /** Instructions, and labels between them. */
  private static List<CodeElement> code(MethodModel method) {
    return method.code().stream()
        .flatMap(code -> code.elementStream())
        .filter(element -> element instanceof Instruction || element instanceof LabelTarget)
        .toList();
  }

  private static boolean isOfVectors(CodeElement element) {
    return element instanceof InvokeInstruction call
        && call.owner().asInternalName().startsWith(VECTORS);
  }

  /** From each place that a branch goes back to as far as that branch. */
  private static Stream<List<CodeElement>> loops(List<CodeElement> code) {
    return IntStream.range(0, code.size())
        .filter(at -> code.get(at) instanceof BranchInstruction)
        .mapToObj(
            at -> {
              Label target = ((BranchInstruction) code.get(at)).target();
              return code.subList(Math.min(at, place(code, target)), at);
            });
  }

  private static int place(List<CodeElement> code, Label label) {
    return first(code, at -> at instanceof LabelTarget target && target.label().equals(label))
        .orElseThrow();
  }

  private static OptionalInt first(List<CodeElement> code, Predicate<CodeElement> wanted) {
    return IntStream.range(0, code.size()).filter(at -> wanted.test(code.get(at))).findFirst();
  }

  /** Whether something is called on what the round before has left in a variable. */
  private static boolean losesItsClass(List<CodeElement> loop) {
    return IntStream.range(0, loop.size() - 1)
        .anyMatch(
            at ->
                loop.get(at) instanceof LoadInstruction load
                    && isCarried(loop, at, load.slot())
                    && !isLastArgument(loop.get(at + 1)));
  }

  /** Of references, which are vectors in such loops. */
  private static boolean isCarried(List<CodeElement> loop, int load, int slot) {
    return first(loop, element -> stores(element, slot)).stream().anyMatch(store -> store > load);
  }

  private static boolean stores(CodeElement element, int slot) {
    return element instanceof StoreInstruction store
        && store.typeKind() == TypeKind.REFERENCE
        && store.slot() == slot;
  }

  /** What stands behind it: a call that takes a vector last, with another one before. */
  private static boolean isLastArgument(CodeElement next) {
    if (!(next instanceof InvokeInstruction call)) {
      return false;
    }
    MethodTypeDesc type = call.typeSymbol();
    return type.parameterCount() > 0
        && type.parameterList().getLast().descriptorString().contains(VECTORS);
  }
}
