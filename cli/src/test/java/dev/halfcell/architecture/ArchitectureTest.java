package dev.halfcell.architecture;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules, over every class of the program. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ArchitectureTest {
  private static final String ROOT = "dev.halfcell";

  private JavaClasses program = new ClassFileImporter().importPackages();

  @BeforeAll
  void readTheProgram() {
    program =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("dev/halfcell/testkit"))
            .importPackages(ROOT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tensor", "op", "amp", "cpu", "gpu", "zoo", "rest", "cli"})
  void theRulesSeeEveryModule(String firstLevel) {
    Set<String> packages =
        program.stream().map(JavaClass::getPackageName).collect(Collectors.toSet());
    assertTrue(packages.contains(ROOT + "." + firstLevel), () -> firstLevel + " in " + packages);
  }

  @Test
  void packagesUseOnlyEarlierLayers() {
    Rules.layerOrder(ROOT).check(program);
  }

  @Test
  void packagesFormNoCycle() {
    Rules.noCycles(ROOT).check(program);
  }

  @Test
  void signaturesShowNoForeignTypes() {
    Rules.noForeignTypes().check(program);
  }

  @Test
  void runsAreWrittenThroughDisk() {
    Rules.runsAreWrittenThroughDisk(ROOT + ".data..", ROOT + ".train..").check(program);
  }

  @Test
  void nothingIsSerialized() {
    Rules.noSerialization().check(program);
  }

  @Test
  void nothingIsThreadLocal() {
    Rules.noThreadLocals().check(program);
  }

  @Test
  void staticFieldsAreFinal() {
    Rules.noStaticVariables().check(program);
  }

  @Test
  void staticFieldsHoldNoMutableContainers() {
    Rules.noStaticContainers().check(program);
  }
}
