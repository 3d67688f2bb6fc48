package dev.halfcell.rest.http;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** What is answered. */
sealed interface Answer {
  /** Its status. */
  int status();

  /** Its headers, but for those that every answer has. */
  Map<String, String> headers();

  /** One that is there whole. */
  record Whole(int status, Map<String, String> headers, Buffer body) implements Answer {}

  /** A part of a file. */
  record Part(int status, Map<String, String> headers, Path file, long from, long length)
      implements Answer {}

  /** One that comes bit by bit. */
  record Flow(Map<String, String> headers, Writer writer) implements Answer {
    @Override
    public int status() {
      return 200;
    }
  }

  /** Writes an answer, on a thread of its own. */
  @FunctionalInterface
  interface Writer {
    /** Does so; it ends when this returns. */
    void write(Outlet to);
  }

  /** One with no body. */
  static Whole empty(int status) {
    return new Whole(status, Map.of(), Buffer.buffer());
  }

  /** One with a body of a media type. */
  static Whole of(int status, String mediaType, byte[] body) {
    return new Whole(status, Map.of("Content-Type", mediaType), Buffer.buffer(body));
  }

  /**
   * One that many are sent. Its body lies once, and outside of the heap: the system takes it from
   * there, where it would be given a copy of each other one, which waits for as long as its reader.
   */
  static Whole shared(int status, String mediaType, byte[] body) {
    ByteBuffer direct = ByteBuffer.allocateDirect(body.length).put(body).flip();
    return new Whole(
        status,
        Map.of("Content-Type", mediaType),
        BufferInternal.buffer(
            Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(direct.asReadOnlyBuffer()))));
  }

  /** The same with one header more. */
  default Answer with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers());
    more.put(name, value);
    return switch (this) {
      case Whole whole -> new Whole(whole.status(), more, whole.body());
      case Part part -> new Part(part.status(), more, part.file(), part.from(), part.length());
      case Flow flow -> new Flow(more, flow.writer());
    };
  }
}
