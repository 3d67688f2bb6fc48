package dev.halfcell.rest.client;

import dev.halfcell.rest.job.JobState;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/**
 * What happens to a job, until it is over. A stream that breaks off is taken up again behind the
 * last event that came; only the server's word {@code end} ends it. One thread.
 */
public final class JobEvents implements AutoCloseable {
  private static final long LASTING = Duration.ofSeconds(5).toNanos();

  private final Transport transport;
  private final Call call;
  private final Patience patience;
  private final Queue<Event> ready = new ArrayDeque<>();
  private Optional<Chunks> stream = Optional.empty();
  private EventParser parser = new EventParser();
  private long opened;
  private long last;
  private Optional<JobState> outcome = Optional.empty();

  /** What an event {@code end} says. */
  private record End(JobState state) {}

  /** What an event {@code reset} says. */
  private record Reset(long oldest) {}

  JobEvents(Transport transport, Call call, long after) {
    this.transport = transport;
    this.call = call.with("Accept", "text/event-stream");
    this.patience = new Patience(transport.settings().patience());
    this.last = after;
  }

  /**
   * Waits for the next event; none where the job is over and all of its events were told.
   *
   * @throws UnreachableException where the server does not come back
   * @throws ProblemException where it refuses to tell
   */
  public Optional<Event> next() {
    while (ready.isEmpty() && outcome.isEmpty()) {
      try {
        read();
      } catch (IOException e) {
        close();
        transport.retry(call, patience, e);
      } catch (ProblemException e) {
        close();
        transport.retry(patience, e);
      }
    }
    return Optional.ofNullable(ready.poll());
  }

  /** How the job ended, once it has. */
  public Optional<JobState> outcome() {
    return ready.isEmpty() ? outcome : Optional.empty();
  }

  /** The number of the last event that came. */
  public long last() {
    return last;
  }

  private void read() throws IOException {
    Chunks chunks = stream.isPresent() ? stream.get() : open();
    byte[] bytes =
        chunks
            .next(transport.settings().silence())
            .orElseThrow(() -> new IOException("the stream of events broke off"));
    if (System.nanoTime() - opened > LASTING) {
      patience.renew();
    }
    for (EventParser.Frame frame : parser.feed(bytes)) {
      take(frame);
    }
  }

  private Chunks open() throws IOException {
    HttpResponse<Chunks> response = transport.open(call.with("Last-Event-ID", Long.toString(last)));
    String type = response.headers().firstValue("Content-Type").orElse("nothing");
    if (!type.startsWith("text/event-stream")) {
      response.body().close();
      throw new AnswerException(
          call.toString(), transport.settings().server(), type + " in the place of events");
    }
    stream = Optional.of(response.body());
    parser = new EventParser();
    opened = System.nanoTime();
    return response.body();
  }

  private void take(EventParser.Frame frame) throws IOException {
    byte[] data = frame.data().getBytes(StandardCharsets.UTF_8);
    switch (frame.name()) {
      case "end" -> end(transport.read(call, data, End.class).state());
      case "closing" -> throw new IOException("the server ends, and closed the stream of events");
      case "reset" -> last = transport.read(call, data, Reset.class).oldest() - 1;
      default -> add(transport.read(call, data, Event.class));
    }
  }

  private void end(JobState state) {
    outcome = Optional.of(state);
    close();
  }

  /** One that came before the stream broke may come again. */
  private void add(Event event) {
    if (event.number() > last) {
      last = event.number();
      ready.add(event);
      patience.renew();
    }
  }

  /** Lets go of the connection; {@link #next} would make another. */
  @Override
  public void close() {
    stream.ifPresent(Chunks::close);
    stream = Optional.empty();
  }
}
