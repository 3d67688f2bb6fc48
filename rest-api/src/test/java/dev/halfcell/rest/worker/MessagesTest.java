package dev.halfcell.rest.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.rest.job.EventKind;
import dev.halfcell.rest.job.JobProgress;
import dev.halfcell.rest.job.StatusReason.Code;
import dev.halfcell.rest.store.Report.Happened;
import dev.halfcell.zoo.run.Prediction;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages as bytes, and back; strictly. */
final class MessagesTest {
  private static final Instant AT = Instant.parse("2026-11-22T10:00:00.123456789Z");

  static final FromWorker.Told TOLD =
      new FromWorker.Told(
          Optional.of(new JobProgress(3, Optional.of(10L), 1, 2, 0.3, Optional.of(12.5), AT)),
          Map.of("loss", 0.25),
          List.of(new Happened(AT, EventKind.STEP, "{\"step\":3}")));

  private static Stream<FromWorker> fromWorker() {
    return Stream.of(
        new FromWorker.Hello(1, 42, "ab", 3, "secret"),
        new FromWorker.Beat(1L << 40),
        new FromWorker.Began(7),
        TOLD,
        new FromWorker.Told(
            Optional.of(new JobProgress(0, Optional.empty(), 1, 1, 0, Optional.empty(), AT)),
            Map.of(),
            List.of()),
        new FromWorker.Predicted(
            List.of(
                new Prediction(
                    0,
                    List.of(0.1 + 0.2, -1e-300),
                    List.of(1.0, 0.0),
                    List.of(
                        new Prediction.Guess(1, Optional.of("Boot"), 1.0),
                        new Prediction.Guess(0, Optional.empty(), 0.0)))),
            "O2",
            "bf16",
            "cpu"),
        new FromWorker.Diagnosed(StepDiagnoses.OVERFLOWED),
        new FromWorker.Diagnosed(StepDiagnoses.FINITE),
        new FromWorker.Completed(9),
        new FromWorker.Stopped(8, "step-000000000008.safetensors"),
        new FromWorker.Failed(
            Code.TRAINING_FAILED,
            "shape",
            "a sentence",
            Optional.of("/conv1"),
            Optional.of(3L),
            false,
            true));
  }

  private static Stream<ToWorker> toWorker() {
    return Stream.of(
        new ToWorker.Begin("{}", "/run", Optional.empty(), false, Optional.empty()),
        new ToWorker.Begin(
            "{}",
            "/run",
            Optional.of("embedded"),
            true,
            Optional.of(new ToWorker.Source("/r", "c"))),
        new ToWorker.Predict(
            "/run",
            Optional.of("{}"),
            List.of(1, 1, 1, 3),
            List.of(0.1f, Float.MIN_VALUE, 3e38f),
            true,
            10),
        new ToWorker.Diagnose("/run"),
        new ToWorker.Stop());
  }

  @ParameterizedTest
  @MethodSource("fromWorker")
  void whatAWorkerSaysIsUnderstood(FromWorker message) throws ProtocolException {
    assertEquals(message, Messages.fromWorker(Messages.encode(message)));
  }

  @ParameterizedTest
  @MethodSource("toWorker")
  void whatAServerSaysIsUnderstood(ToWorker message) throws ProtocolException {
    assertEquals(message, Messages.toWorker(Messages.encode(message)));
  }

  @ParameterizedTest
  @MethodSource("toWorker")
  void whatAServerSaysIsNothingThatAWorkerMay(ToWorker message) {
    assertThrows(ProtocolException.class, () -> Messages.fromWorker(Messages.encode(message)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "{}",
        "{\"kind\":\"beat\"}",
        "{\"kind\":\"beat\",\"body\":{}}",
        "{\"kind\":\"beat\",\"body\":{\"resident\":null}}",
        "{\"kind\":\"beat\",\"body\":{\"resident\":\"5\"}}",
        "{\"kind\":\"beat\",\"body\":{\"resident\":1.5}}",
        "{\"kind\":\"beat\",\"body\":{\"resident\":1e400}}",
        "{\"kind\":\"beat\",\"body\":{\"resident\":5,\"more\":1}}",
        "{\"kind\":\"beat\",\"body\":{\"resident\":5},\"more\":1}",
        "{\"kind\":\"beat\",\"kind\":\"beat\",\"body\":{\"resident\":5}}",
        "{\"kind\":\"beat\",\"body\":{\"resident\":5}} {}",
        "{\"kind\":\"end\",\"body\":{}}",
        "{\"kind\":\"began\",\"body\":{\"fromStep\":-1}}",
        "{\"kind\":\"stopped\",\"body\":{\"steps\":1,\"checkpoint\":null}}",
        "{\"kind\":\"told\",\"body\":{\"progress\":null,\"metrics\":{},\"events\":[{\"at\":\"2026-11-22T10:00:00Z\",\"kind\":\"STATE\",\"data\":\"{}\"}]}}",
        "{\"kind\":\"told\",\"body\":{\"progress\":null,\"metrics\":{},\"events\":[{\"at\":\"2026-11-22T10:00:00Z\",\"kind\":\"STEP\",\"data\":\"[]\"}]}}",
        "{\"kind\":\"told\",\"body\":{\"progress\":null,\"metrics\":{},\"events\":[{\"at\":\"now\",\"kind\":\"STEP\",\"data\":\"{}\"}]}}",
        "{\"kind\":\"told\",\"body\":{\"progress\":null,\"metrics\":{},\"events\":[{\"at\":\"2026-11-22T10:00:00Z\",\"kind\":1,\"data\":\"{}\"}]}}",
        "{\"kind\":\"told\",\"body\":{\"progress\":null,\"metrics\":{\"a b\":1.0},\"events\":[]}}",
        "{\"kind\":\"told\",\"body\":{\"progress\":null,\"metrics\":{\"a\":\"NaN\"},\"events\":[]}}",
        "{\"kind\":\"told\",\"body\":{\"progress\":null,\"metrics\":{\"a\":null},\"events\":[]}}",
        "{\"kind\":\"told\",\"body\":{\"progress\":null,\"metrics\":null,\"events\":[]}}",
        "{\"kind\":\"told\",\"body\":{\"progress\":null,\"metrics\":{},\"events\":[null]}}",
        "{\"kind\":\"failed\",\"body\":{\"code\":\"COMPLETED\",\"type\":\"data\",\"detail\":\"\",\"cell\":null,\"step\":null,\"outOfMemory\":false,\"retryable\":false}}",
        "{\"kind\":\"failed\",\"body\":{\"code\":\"TRAINING_FAILED\",\"type\":\"worker\",\"detail\":\"\",\"cell\":null,\"step\":null,\"outOfMemory\":false,\"retryable\":false}}"
      })
  void anythingElseIsRefused(String text) {
    assertThrows(
        ProtocolException.class, () -> Messages.fromWorker(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void deepNestingIsRefused() {
    byte[] deep = "[".repeat(100_000).getBytes(StandardCharsets.UTF_8);
    assertThrows(ProtocolException.class, () -> Messages.fromWorker(deep));
  }
}
