package dev.halfcell.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;

/**
 * The order of first-level packages under a root package: a package may use itself and those of
 * earlier layers; packages of one layer may not use each other; a package outside the list is a
 * fault.
 */
final class LayerOrder extends ArchCondition<JavaClass> {
  private final String root;
  private final List<Set<String>> layers;

  LayerOrder(String root, List<Set<String>> layers) {
    super("use only the packages of earlier layers in %s", layers);
    this.root = root + ".";
    this.layers = layers;
  }

  @Override
  public void check(JavaClass user, ConditionEvents events) {
    if (layer(firstLevel(user)) < 0) {
      fault(user, user.getName() + " is in a package that has no place in the order", events);
    }
    for (Dependency dependency : user.getDirectDependenciesFromSelf()) {
      JavaClass used = dependency.getTargetClass().getBaseComponentType();
      if (used.getPackageName().startsWith(root) && !mayUse(firstLevel(user), firstLevel(used))) {
        fault(user, dependency.getDescription(), events);
      }
    }
  }

  private boolean mayUse(String user, String used) {
    return user.equals(used) || layer(used) < layer(user);
  }

  private int layer(String firstLevel) {
    for (int index = 0; index < layers.size(); index++) {
      if (layers.get(index).contains(firstLevel)) {
        return index;
      }
    }
    return -1;
  }

  private String firstLevel(JavaClass type) {
    String below = type.getPackageName().substring(root.length());
    int end = below.indexOf('.');
    return end < 0 ? below : below.substring(0, end);
  }

  private static void fault(JavaClass where, String message, ConditionEvents events) {
    events.add(SimpleConditionEvent.violated(where, message));
  }
}
