package dev.halfcell.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * No type of certain libraries in what a class shows: its supertypes and the types of its public
 * and protected members, generic arguments and exceptions included.
 */
final class NoForeignTypes extends ArchCondition<JavaClass> {
  private final Map<String, String> owners;

  /**
   * @param owners by the root package of a library, the package that may show its types; empty
   *     where none may
   */
  NoForeignTypes(Map<String, String> owners) {
    super("show no types of %s outside the package that owns them", owners.keySet());
    this.owners = owners;
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    if (!isVisible(type)) {
      return;
    }
    Stream<JavaType> supertypes =
        Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream());
    supertypes.forEach(shown -> report(type, type.getName(), shown, events));
    for (JavaMember member : type.getMembers()) {
      if (isVisible(member)) {
        shown(member).forEach(shown -> report(type, member.getFullName(), shown, events));
      }
    }
  }

  private void report(JavaClass type, String where, JavaType shown, ConditionEvents events) {
    for (JavaClass raw : shown.getAllInvolvedRawTypes()) {
      String owner = owner(raw);
      boolean owned = !owner.isEmpty() && type.getPackageName().startsWith(owner);
      if (isForeign(raw) && !owned) {
        events.add(SimpleConditionEvent.violated(type, where + " shows " + raw.getName()));
      }
    }
  }

  private boolean isForeign(JavaClass raw) {
    return owners.keySet().stream().anyMatch(raw.getPackageName()::startsWith);
  }

  private String owner(JavaClass raw) {
    return owners.entrySet().stream()
        .filter(entry -> raw.getPackageName().startsWith(entry.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("");
  }

  private static Stream<JavaType> shown(JavaMember member) {
    if (member instanceof JavaField field) {
      return Stream.of(field.getType());
    }
    JavaCodeUnit unit = (JavaCodeUnit) member;
    Stream<JavaType> signature =
        Stream.concat(unit.getParameterTypes().stream(), Stream.of(unit.getReturnType()));
    return Stream.concat(signature, unit.getExceptionTypes().stream());
  }

  private static boolean isVisible(JavaClass type) {
    return isVisible(type.getModifiers())
        && type.getEnclosingClass().stream().allMatch(NoForeignTypes::isVisible);
  }

  private static boolean isVisible(JavaMember member) {
    return isVisible(member.getModifiers());
  }

  private static boolean isVisible(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }
}
