package dev.halfcell.rest.http;

import dev.halfcell.rest.service.RefusedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The files of the dashboard, which lie on the class path. What is asked for is a plain name, so
 * that no other file can be reached.
 */
final class DashboardEndpoints {
  private static final String FOLDER = "/dev/halfcell/rest/dashboard/";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)+");
  private static final Map<String, String> TYPES =
      Map.of(
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml",
          "png", "image/png",
          "woff2", "font/woff2");

  private final Map<String, Answer> read = new ConcurrentHashMap<>();

  Map<String, Endpoint> all() {
    return Map.of("dashboard", this::page, "dashboardAsset", this::asset);
  }

  private Answer page(Request request) {
    // Where it is still the same, too: a browser takes the policy of its copy from that answer.
    return unlessThere(request, file("index.html", "text/html; charset=utf-8"))
        .with("Content-Security-Policy", SecurityHeaders.PAGE_POLICY);
  }

  private Answer asset(Request request) {
    String name = request.path("file");
    String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    if (type == null || !NAME.matcher(name).matches()) {
      throw RefusedException.missing("file");
    }
    return unlessThere(request, file("assets/" + name, type));
  }

  /** The browser asks each time whether a file is still the same: a new server has new ones. */
  private static Answer unlessThere(Request request, Answer answer) {
    String tag = answer.headers().getOrDefault("ETag", "");
    Answer asked =
        Conditions.unchanged(request, tag) ? Answer.empty(304).with("ETag", tag) : answer;
    return asked.with("Cache-Control", "no-cache");
  }

  private Answer file(String path, String type) {
    Answer known = read.get(path);
    if (known != null) {
      return known;
    }
    Answer answer =
        resource(path)
            .map(bytes -> DocumentEndpoints.tagged(type, bytes))
            .orElseThrow(() -> RefusedException.missing("file"));
    read.put(path, answer);
    return answer;
  }

  private static Optional<byte[]> resource(String path) {
    try (InputStream in = DashboardEndpoints.class.getResourceAsStream(FOLDER + path)) {
      return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
