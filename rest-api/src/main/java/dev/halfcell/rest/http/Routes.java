package dev.halfcell.rest.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the operations of a path. Paths are compared as they were sent: dots, doubled slashes and
 * escaped slashes are never taken for anything else, so that nothing can be reached by a detour.
 */
final class Routes {
  private final Map<List<String>, Map<String, Operation>> byPath = new LinkedHashMap<>();

  Routes(List<Operation> operations) {
    operations.forEach(
        operation ->
            byPath
                .computeIfAbsent(segments(operation.path()), _ -> new LinkedHashMap<>())
                .put(operation.method(), operation));
  }

  /**
   * What lies at a path.
   *
   * @param operations by method
   * @param parameters those of the path
   */
  record Match(Map<String, Operation> operations, Map<String, String> parameters) {
    /** The methods that it takes, as {@code Allow} has them. */
    String allow() {
      Stream<String> head = operations.containsKey("GET") ? Stream.of("HEAD") : Stream.of();
      return String.join(", ", Stream.concat(operations.keySet().stream(), head).toList());
    }

    Optional<Operation> operation(String method) {
      return Optional.ofNullable(operations.get(method.equals("HEAD") ? "GET" : method));
    }
  }

  /** What lies at a path, if anything does. */
  Optional<Match> find(String path) {
    List<String> segments = segments(path);
    for (Map.Entry<List<String>, Map<String, Operation>> route : byPath.entrySet()) {
      Optional<Map<String, String>> parameters = parameters(route.getKey(), segments);
      if (parameters.isPresent()) {
        return Optional.of(new Match(route.getValue(), parameters.get()));
      }
    }
    return Optional.empty();
  }

  private static List<String> segments(String path) {
    return List.of(path.split("/", -1));
  }

  private static Optional<Map<String, String>> parameters(List<String> route, List<String> path) {
    if (route.size() != path.size()) {
      return Optional.empty();
    }
    Map<String, String> parameters = new HashMap<>();
    for (int i = 0; i < route.size(); i++) {
      String wanted = route.get(i);
      String there = path.get(i);
      if (wanted.startsWith("{") && !there.isEmpty()) {
        parameters.put(wanted.substring(1, wanted.length() - 1), decoded(there, false));
      } else if (!wanted.equals(there)) {
        return Optional.empty();
      }
    }
    return Optional.of(parameters);
  }

  /** The parameters of a query, in their order. */
  static Map<String, List<String>> query(String text) {
    Map<String, List<String>> all = new LinkedHashMap<>();
    for (String part : text.isEmpty() ? new String[0] : text.split("&", -1)) {
      int equals = part.indexOf('=');
      String name = equals < 0 ? part : part.substring(0, equals);
      String value = equals < 0 ? "" : part.substring(equals + 1);
      all.computeIfAbsent(decoded(name, true), _ -> new ArrayList<>()).add(decoded(value, true));
    }
    return all;
  }

  private static String decoded(String text, boolean query) {
    String plus = query ? text : text.replace("+", "%2B");
    return URLDecoder.decode(plus, StandardCharsets.UTF_8);
  }

  /** Whether a target is a path of printable characters whose escapes are whole and no NUL. */
  static boolean wellFormed(String target) {
    if (!target.startsWith("/")) {
      return false;
    }
    for (int i = 0; i < target.length(); i++) {
      char c = target.charAt(i);
      if (c <= ' ' || c >= 0x7f || c == '#') {
        return false;
      }
      if (c == '%' && !escapes(target, i)) {
        return false;
      }
    }
    return true;
  }

  private static boolean escapes(String target, int at) {
    if (at + 2 >= target.length()) {
      return false;
    }
    int high = Character.digit(target.charAt(at + 1), 16);
    int low = Character.digit(target.charAt(at + 2), 16);
    return high >= 0 && low >= 0 && high * 16 + low >= ' ' && high * 16 + low != 0x7f;
  }
}
