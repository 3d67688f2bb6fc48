package dev.halfcell.zoo.job;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Keys and values that a record is made of, where most of its keys stay unsaid. One thread. */
final class ObjectTree {
  private final Map<String, Object> values = new LinkedHashMap<>();

  ObjectTree put(String key, Object value) {
    values.put(key, value);
    return this;
  }

  <R extends Record> R as(Class<R> type) {
    Mistakes mistakes = new Mistakes();
    Optional<R> made =
        new RecordReader(mistakes)
            .read(type, RecordWriter.value(values).orElseGet(RecordWriter::nothing), "");
    mistakes.require();
    return made.orElseThrow();
  }
}
