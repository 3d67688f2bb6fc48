package dev.halfcell.zoo.job;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * What a record of specifications is made of. Java works that out anew whenever it is asked, and to
 * read one specification is to ask some hundred times: so it is kept for each class, of which it is
 * as constant a fact as its name.
 *
 * @param parts its components, in their order
 * @param keys the keys of its object: its components, but one that is a list in its place
 * @param shorthand what may stand for its object
 * @param family the sealed family that it belongs to
 */
record RecordForm(
    Class<? extends Record> type,
    List<Part> parts,
    List<String> keys,
    Shorthand shorthand,
    Optional<Class<?>> family,
    Constructor<? extends Record> constructor) {
  private static final ClassValue<RecordForm> FORMS =
      new ClassValue<>() {
        @Override
        protected RecordForm computeValue(Class<?> type) {
          return found(type.asSubclass(Record.class));
        }
      };

  /**
   * A component.
   *
   * @param bounds what limits it
   * @param otherwise the value where none is said
   */
  record Part(
      RecordComponent component,
      String name,
      Type type,
      Bounds bounds,
      Optional<JsonNode> otherwise) {
    private static Part of(RecordComponent component) {
      Optional<Key> key = Optional.ofNullable(component.getAnnotation(Key.class));
      return new Part(
          component,
          component.getName(),
          component.getGenericType(),
          key.map(Bounds::of).orElseGet(Bounds::none),
          key.map(Key::otherwise).filter(text -> !text.isEmpty()).map(StrictTree::ofJson));
    }

    /** Its value in a record. */
    Object in(Record of) {
      try {
        return component.getAccessor().invoke(of);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** That of a class. */
  static RecordForm of(Class<? extends Record> type) {
    return FORMS.get(type);
  }

  private static RecordForm found(Class<? extends Record> type) {
    RecordComponent[] components = type.getRecordComponents();
    Shorthand shorthand = Shorthand.of(type, components);
    return new RecordForm(
        type,
        Arrays.stream(components).map(Part::of).toList(),
        Arrays.stream(components)
            .filter(component -> !shorthand.isList(component))
            .map(RecordComponent::getName)
            .toList(),
        shorthand,
        Keys.family(type),
        constructor(type, components));
  }

  private static Constructor<? extends Record> constructor(
      Class<? extends Record> type, RecordComponent[] components) {
    try {
      return type.getDeclaredConstructor(
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * A record of values.
   *
   * @throws InvocationTargetException with what the record itself refuses
   */
  Record made(List<Object> values) throws InvocationTargetException {
    try {
      return constructor.newInstance(values.toArray());
    } catch (InstantiationException | IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
