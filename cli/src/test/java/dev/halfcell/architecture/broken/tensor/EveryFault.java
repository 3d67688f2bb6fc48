package dev.halfcell.architecture.broken.tensor;

import dev.halfcell.architecture.broken.train.Later;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;

/** Breaks every rule once or more. */
@SuppressWarnings({"BanSerializableRead", "NonFinalStaticField", "ThreadLocalUsage"})
public class EveryFault implements Serializable {
  static final AtomicInteger COUNTER = new AtomicInteger();
  static final HashMap<String, String> CACHE = new HashMap<>();
  static final ThreadLocal<String> CURRENT = new ThreadLocal<>();
  static int calls;

  protected transient List<JsonParser> parser = List.of();

  public List<? extends JsonParser> parsers() {
    return parser;
  }

  public JsonParser read() {
    return parser.getFirst();
  }

  public void write(JsonGenerator generator) {
    generator.writeNumber(calls + COUNTER.get() + CACHE.size());
  }

  void write(Path file) throws IOException {
    Files.writeString(file, "lost in a crash");
  }

  Object read(ObjectInputStream in, Later later) throws IOException, ClassNotFoundException {
    return in.readObject() + CURRENT.get() + later;
  }
}
