package dev.halfcell.features;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What stands between two fences in a document.
 *
 * @param language the word behind the first fence, empty where there is none
 * @param text its lines
 */
record DocumentBlock(String language, String text) {
  private static final Pattern FENCED =
      Pattern.compile("^```(\\w*)\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

  /** All blocks of a document of this repository, in their order. */
  static List<DocumentBlock> of(String document) throws IOException {
    Path file = Path.of(System.getProperty("halfcell.root"), document);
    return FENCED
        .matcher(Files.readString(file))
        .results()
        .map(found -> new DocumentBlock(found.group(1), found.group(2)))
        .toList();
  }

  /** The line by which people find it. */
  String name() {
    return text.lines().findFirst().orElse("");
  }
}
