package dev.halfcell.op;

import dev.halfcell.tensor.ArgumentException;
import java.util.regex.Pattern;

/**
 * Which paths are meant: {@code *} stands for any part of a name, {@code ?} for one character of
 * it, {@code **} for any number of names. {@code /encoder/**} is all below the encoder, {@code
 * **}{@code /bias} every bias.
 */
public record PathPattern(String text) {
  public PathPattern {
    ArgumentException.require(
        text.startsWith("/") || text.startsWith("**"),
        "path pattern",
        "a glob that begins with / or **",
        "'" + text + "'");
  }

  /** Whether {@code path} is meant. */
  public boolean matches(CellPath path) {
    return expression().matcher(path.text()).matches();
  }

  private Pattern expression() {
    StringBuilder expression = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      if (text.startsWith("/**/", i)) {
        expression.append("/(?:.*/)?");
        i += 3;
      } else if (text.startsWith("**", i)) {
        expression.append(".*");
        i += 1;
      } else {
        expression.append(one(text.charAt(i)));
      }
    }
    return Pattern.compile(expression.toString());
  }

  private static String one(char character) {
    return switch (character) {
      case '*' -> "[^/]*";
      case '?' -> "[^/]";
      default -> Pattern.quote(String.valueOf(character));
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
