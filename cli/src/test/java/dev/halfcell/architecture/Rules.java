package dev.halfcell.architecture;

import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.properties.HasModifiers;
import com.tngtech.archunit.lang.ArchRule;
import java.io.Externalizable;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.Serializable;
import java.lang.invoke.SerializedLambda;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** What ArchUnit holds of docs and design: one rule per method, over the classes it is given. */
final class Rules {
  /** The packages of framework, then the other modules; a later one may use the earlier ones. */
  static final List<Set<String>> LAYERS =
      List.of(
          Set.of("tensor", "disk"),
          Set.of("op"),
          Set.of("backend"),
          Set.of("plan"),
          Set.of("autodiff"),
          Set.of("nn"),
          Set.of("optim"),
          Set.of("data"),
          Set.of("train"),
          Set.of("verify"),
          Set.of("amp", "cpu", "gpu"),
          Set.of("zoo"),
          Set.of("rest"),
          Set.of("cli"));

  /** By library, who may show its types: the backend's natives to itself, Jackson to no one. */
  private static final Map<String, String> OWNERS =
      Map.of(
          "org.bytedeco", "dev.halfcell.cpu",
          "jcuda", "dev.halfcell.gpu",
          "io.vertx", "dev.halfcell.rest",
          "tools.jackson", "",
          "com.fasterxml.jackson", "");

  private static final DescribedPredicate<HasModifiers> STATIC =
      DescribedPredicate.describe(
          "static", member -> member.getModifiers().contains(JavaModifier.STATIC));

  private static final DescribedPredicate<JavaClass> CONTAINER =
      DescribedPredicate.describe(
          "a mutable container",
          type ->
              type.getPackageName().equals("java.util.concurrent.atomic")
                  || type.isAssignableTo(StringBuilder.class)
                  || type.isAssignableTo(Random.class)
                  || (type.getPackageName().startsWith("java.util")
                      && !type.isInterface()
                      && (type.isAssignableTo(Collection.class)
                          || type.isAssignableTo(Map.class))));

  private Rules() {}

  static ArchRule layerOrder(String root) {
    return classes().should(new LayerOrder(root, LAYERS));
  }

  static ArchRule noCycles(String root) {
    return slices().matching(root + ".(*)..").should().beFreeOfCycles();
  }

  static ArchRule noForeignTypes() {
    return classes().should(new NoForeignTypes(OWNERS));
  }

  static ArchRule noSerialization() {
    return noClasses()
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(
            ObjectInputStream.class,
            ObjectOutputStream.class,
            Serializable.class,
            Externalizable.class,
            SerializedLambda.class);
  }

  static ArchRule noThreadLocals() {
    return noClasses().should().dependOnClassesThat().areAssignableTo(ThreadLocal.class);
  }

  static ArchRule noStaticVariables() {
    return noFields().that(are(STATIC)).should().notBeFinal();
  }

  /** What is written past a Disk no test has seen survive a crash. */
  static ArchRule runsAreWrittenThroughDisk(String... packages) {
    return noClasses()
        .that()
        .resideInAnyPackage(packages)
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(
            Files.class,
            FileChannel.class,
            RandomAccessFile.class,
            FileInputStream.class,
            FileOutputStream.class,
            FileReader.class,
            FileWriter.class,
            PrintWriter.class);
  }

  /** A constant of one of these types is a variable all the same. */
  static ArchRule noStaticContainers() {
    return noFields().that(are(STATIC)).should().haveRawType(CONTAINER);
  }
}
