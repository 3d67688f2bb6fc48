package dev.halfcell.zoo.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the data of a run is read again. */
final class RunPlaceTest {
  private static final int SAMPLES = 40;

  @TempDir private Path folder;

  private RunPlace read(String json) throws IOException {
    return RunPlace.read(Files.writeString(folder.resolve("run.json"), json));
  }

  private static RunPlace found(String data) {
    return new RunPlace(Optional.of(data), true, SAMPLES);
  }

  private static void assertThere(RunPlace place, Optional<String> choice) {
    assertEquals(choice, place.choice());
    assertEquals(Optional.empty(), place.notice());
  }

  private static void assertGone(RunPlace place) {
    assertEquals(Optional.empty(), place.choice());
    String notice = place.notice().orElseThrow();
    assertFalse(notice.contains(place.data().orElseThrow()), notice);
  }

  @Test
  void allOfItIsReadAsItWasWritten() throws IOException {
    for (RunPlace place :
        new RunPlace[] {
          found("embedded"),
          found(folder.toString()),
          new RunPlace(Optional.of(folder.toString()), SAMPLES),
          new RunPlace(Optional.empty(), SAMPLES)
        }) {
      assertEquals(place, read(place.json()));
    }
  }

  @Test
  void dataIsReadWhereItWasFound() {
    assertThere(found("embedded"), Optional.of("embedded"));
    assertThere(found(folder.toString()), Optional.of(folder.toString()));
  }

  @Test
  void dataThatWasFoundIsSearchedForWhereItIsGoneAndNoPathIsSaid() throws IOException {
    assertGone(found(folder.resolve("gone").toString()));
    assertGone(found(Files.createFile(folder.resolve("file")).toString()));
    assertGone(found("no\0name"));
  }

  /** The message that it is gone is that of who opens it. */
  @Test
  void dataThatWasNamedIsNeverSearchedFor() {
    Optional<String> gone = Optional.of(folder.resolve("gone").toString());
    assertThere(new RunPlace(gone, SAMPLES), gone);
  }

  /** Of before, or edited. */
  @ParameterizedTest
  @ValueSource(strings = {"{\"samples\": 40}", "{\"searched\": true, \"samples\": 40}"})
  void whereNoPlaceIsSaidItIsSearchedForUnsaid(String json) throws IOException {
    assertThere(read(json), Optional.empty());
  }
}
