package dev.halfcell.zoo.job;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** By which names the records of sealed families are told apart. */
final class Keys {
  /** To find them Java reads classes; who they are never changes. */
  private static final ClassValue<Map<String, Class<? extends Record>>> KINDS =
      new ClassValue<>() {
        @Override
        protected Map<String, Class<? extends Record>> computeValue(Class<?> family) {
          return Collections.unmodifiableMap(found(family));
        }
      };

  private Keys() {}

  /** The records of a sealed family by their names, in the order of its list. */
  static Map<String, Class<? extends Record>> kinds(Class<?> family) {
    return KINDS.get(family);
  }

  private static Map<String, Class<? extends Record>> found(Class<?> family) {
    Map<String, Class<? extends Record>> kinds = new LinkedHashMap<>();
    for (Class<?> kind : family.getPermittedSubclasses()) {
      if (kind.isSealed()) {
        kinds.putAll(found(kind));
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
