package dev.halfcell.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import dev.halfcell.architecture.broken.elsewhere.Misplaced;
import dev.halfcell.architecture.broken.tensor.EveryFault;
import dev.halfcell.architecture.broken.tensor.Innocent;
import dev.halfcell.architecture.broken.train.Later;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule over classes that break it, so that a rule that cannot fail is seen. */
final class RulesCanFailTest {
  private static final String ROOT = "dev.halfcell.architecture.broken";

  static Stream<Arguments> faults() {
    return Stream.of(
        Arguments.of(Rules.layerOrder(ROOT), "has parameter of type <" + ROOT + ".train.Later>"),
        Arguments.of(Rules.layerOrder(ROOT), "Misplaced is in a package that has no place"),
        Arguments.of(Rules.noCycles(ROOT), "Cycle detected: Slice tensor"),
        Arguments.of(Rules.noForeignTypes(), "EveryFault.parser shows tools.jackson"),
        Arguments.of(Rules.noForeignTypes(), "EveryFault.parsers() shows tools.jackson"),
        Arguments.of(Rules.noForeignTypes(), "EveryFault.read() shows tools.jackson"),
        Arguments.of(Rules.noForeignTypes(), "EveryFault.write(tools.jackson"),
        Arguments.of(Rules.runsAreWrittenThroughDisk(ROOT + ".tensor"), "java.nio.file.Files"),
        Arguments.of(Rules.noSerialization(), "java.io.ObjectInputStream"),
        Arguments.of(Rules.noSerialization(), "java.io.Serializable"),
        Arguments.of(Rules.noThreadLocals(), "java.lang.ThreadLocal"),
        Arguments.of(Rules.noStaticVariables(), "EveryFault.calls"),
        Arguments.of(Rules.noStaticContainers(), "EveryFault.COUNTER"),
        Arguments.of(Rules.noStaticContainers(), "EveryFault.CACHE"));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void aRuleNamesTheFault(ArchRule rule, String expected) {
    List<String> found =
        faults(rule, EveryFault.class, Innocent.class, Later.class, Misplaced.class);
    assertTrue(found.stream().anyMatch(line -> line.contains(expected)), found::toString);
  }

  @Test
  void aRuleLeavesTheInnocentAlone() {
    for (ArchRule rule :
        List.of(
            Rules.layerOrder(ROOT),
            Rules.noCycles(ROOT),
            Rules.noForeignTypes(),
            Rules.runsAreWrittenThroughDisk(ROOT + ".tensor"),
            Rules.noSerialization(),
            Rules.noThreadLocals(),
            Rules.noStaticVariables(),
            Rules.noStaticContainers())) {
      assertEquals(List.of(), faults(rule, Innocent.class, Later.class));
    }
  }

  private static List<String> faults(ArchRule rule, Class<?>... types) {
    JavaClasses classes = new ClassFileImporter().importClasses(types);
    EvaluationResult result = rule.evaluate(classes);
    return result.getFailureReport().getDetails();
  }
}
