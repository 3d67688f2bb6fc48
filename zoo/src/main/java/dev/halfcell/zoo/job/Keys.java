package dev.halfcell.zoo.job;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The keys of the records of a specification. */
final class Keys {
  private Keys() {}

  /** The keys of an object of a record: its components, but one that is a list in its place. */
  static List<String> of(Class<? extends Record> type) {
    return Arrays.stream(type.getRecordComponents())
        .filter(component -> !Shorthand.of(type).isList(component))
        .map(RecordComponent::getName)
        .toList();
  }

  /** The records of a sealed family by their names, in the order of its list. */
  static Map<String, Class<? extends Record>> kinds(Class<?> family) {
    Map<String, Class<? extends Record>> kinds = new LinkedHashMap<>();
    for (Class<?> kind : family.getPermittedSubclasses()) {
      if (kind.isSealed()) {
        kinds.putAll(kinds(kind));
      } else {
        kinds.put(kind.getSimpleName(), kind.asSubclass(Record.class));
      }
    }
    return kinds;
  }

  /** The key that names the record of a sealed family. */
  static String tag(Class<?> family) {
    return family.getAnnotation(Tagged.class).value();
  }

  /** The sealed family that a record belongs to. */
  static Optional<Class<?>> family(Class<?> kind) {
    return Arrays.stream(kind.getInterfaces())
        .flatMap(
            above ->
                above.isAnnotationPresent(Tagged.class) ? Stream.of(above) : family(above).stream())
        .findFirst();
  }
}
