package dev.halfcell.op;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.tensor.ArgumentException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathPatternTest {
  @ParameterizedTest
  @CsvSource({
    "/encoder/**, /encoder/0/weight, true",
    "/encoder/**, /encoder, false",
    "/encoder/**, /encoder2/weight, false",
    "**/bias, /bias, true",
    "**/bias, /a/b/bias, true",
    "**/bias, /a/unbias, false",
    "/a/*/w, /a/b/w, true",
    "/a/*/w, /a/b/c/w, false",
    "/a/**/w, /a/w, true",
    "/a/**/w, /a/b/c/w, true",
    "/a/**/w, /aw, false",
    "/conv?/w, /conv1/w, true",
    "/conv?/w, /conv/w, false",
    "/a.b, /axb, false",
    "**, /anything/at/all, true",
  })
  void aGlobMatchesWholePaths(String pattern, String path, boolean expected) {
    assertEquals(expected, new PathPattern(pattern).matches(new CellPath(path)));
  }

  @Test
  void aNameAloneIsNoPattern() {
    assertThrows(ArgumentException.class, () -> new PathPattern("bias"));
    assertThrows(ArgumentException.class, () -> new PathPattern(""));
  }
}
