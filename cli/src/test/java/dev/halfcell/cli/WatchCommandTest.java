package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Watching ends with the job's outcome, and with nothing else's. */
final class WatchCommandTest {
  private static final String EVENTS =
      ServiceDouble.event(
              1,
              "state",
              "{\"from\":\"QUEUED\",\"to\":\"RUNNING\",\"reason\":{\"code\":\"TRAINING\",\"message\":\"It trains.\"}}")
          + ServiceDouble.event(
              2,
              "step",
              "{\"step\":5,\"epoch\":1,\"loss\":0.25,\"lossScale\":1024.0,\"learningRate\":0.1,\"samplesPerSecond\":640.0}")
          + ServiceDouble.event(3, "scale", "{\"step\":6,\"from\":1024.0,\"to\":512.0}")
          + ServiceDouble.event(4, "notice", "{\"message\":\"a\\u001b[31mb\"}")
          + ServiceDouble.event(5, "epoch", "{\"epoch\":1,\"meanLoss\":0.5,\"seconds\":2.0}")
          + ServiceDouble.event(6, "of a newer server", "{}");

  private static CommandLineRun watch(ServiceDouble service) {
    return CommandLineRun.of("watch", ServiceDouble.ID, service.option(), "--patience=1");
  }

  @ParameterizedTest
  @CsvSource({"SUCCEEDED, 0", "FAILED, 1", "CANCELLED, 3"})
  void itEndsWithTheOutcome(String state, int code) {
    try (ServiceDouble service = new ServiceDouble().runsTo(state, EVENTS)) {
      CommandLineRun run = watch(service);
      assertEquals(code, run.exitCode(), run.err());
      assertEquals(code == 0 ? 0 : 1, run.errLines().size(), run.err());
    }
  }

  @Test
  void whatHappensIsShown() {
    try (ServiceDouble service = new ServiceDouble().runsTo("SUCCEEDED", EVENTS)) {
      assertEquals(
          List.of(
              "RUNNING: It trains.",
              "epoch 1/2  50 %  loss 0.2500  640 samples/s  scale 1024  skipped 0",
              "step 6: loss scale 1024 -> 512",
              "a?[31mb",
              "epoch 1: mean loss 0.5000, 2.0 s",
              "job " + ServiceDouble.ID + " succeeded, test_accuracy 0.8750"),
          watch(service).outLines());
    }
  }

  @Test
  void whyAJobFailedIsTheError() {
    try (ServiceDouble service = new ServiceDouble().runsTo("FAILED", "")) {
      service.says(
          "GET " + ServiceDouble.JOB,
          200,
          ServiceDouble.job("FAILED")
              .replaceFirst(
                  "\\{",
                  "{\"failure\":{\"type\":\"memory\",\"detail\":\"It held too much.\","
                      + "\"oomKilled\":true,\"retryable\":false,\"logTail\":\"\"},"));
      assertEquals(
          "halfcell: job " + ServiceDouble.ID + " failed: It held too much.\n",
          watch(service).err());
    }
  }

  @Tag("Ray-60665")
  @Test
  void aStreamThatEndsWithoutAnOutcomeIsNoOutcome() {
    try (ServiceDouble service = new ServiceDouble().runsTo("SUCCEEDED", "")) {
      service.says(
          "GET " + ServiceDouble.JOB + "/events", 200, "text/event-stream", new byte[] {'\n'});
      CommandLineRun run = watch(service);
      assertEquals(4, run.exitCode(), run.out());
      assertEquals(1, run.errLines().size(), run.err());
    }
  }

  @Test
  void aServerThatIsNotThereEndsWith4() throws Exception {
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    String server = "--server=http://127.0.0.1:" + free;
    CommandLineRun run = CommandLineRun.of("watch", ServiceDouble.ID, server, "--patience=1");
    assertEquals(4, run.exitCode());
    assertEquals(1, run.errLines().size(), run.err());
    assertTrue(run.err().contains("127.0.0.1:" + free), run.err());
    assertTrue(run.err().contains("halfcell serve"), run.err());
  }

  @Test
  void whatAServerRefusesEndsWith2() {
    try (ServiceDouble service = new ServiceDouble()) {
      CommandLineRun run = watch(service);
      assertEquals(2, run.exitCode());
      assertTrue(run.err().contains("No job of that id"), run.err());
      CommandLineRun odd = CommandLineRun.of("watch", "7", service.option());
      assertEquals(2, odd.exitCode());
      assertTrue(odd.err().contains("32 hexadecimal digits"), odd.err());
    }
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  @Tag("process")
  void aSignalLeavesTheJobRunningAndSaysSo(String signal, int code) throws Exception {
    try (ServiceDouble service = new ServiceDouble().runsOn();
        CommandLineProcess process =
            CommandLineProcess.start("watch", ServiceDouble.ID, service.option())) {
      service.awaitFollowed();
      process.signal(signal);
      process.assertEnds(
          code, "goes on without being watched", "halfcell watch " + ServiceDouble.ID);
      TimeUnit.MILLISECONDS.sleep(100);
      assertFalse(
          service.requests().stream().anyMatch(request -> request.startsWith("POST")),
          () -> service.requests().toString());
    }
  }
}
