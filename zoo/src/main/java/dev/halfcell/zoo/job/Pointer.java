package dev.halfcell.zoo.job;

import java.util.Arrays;
import java.util.List;

/** JSON pointers (RFC 6901). */
final class Pointer {
  private Pointer() {}

  /** The pointer to a key of what {@code of} points to. */
  static String child(String of, String key) {
    return of + "/" + key.replace("~", "~0").replace("/", "~1");
  }

  /** The pointer to an entry of the list that {@code of} points to. */
  static String child(String of, int index) {
    return of + "/" + index;
  }

  /** The keys along a pointer. */
  static List<String> keys(String pointer) {
    return Arrays.stream(pointer.split("/", -1))
        .skip(1)
        .map(key -> key.replace("~1", "/").replace("~0", "~"))
        .toList();
  }
}
