package dev.halfcell.rest.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The document itself, in three forms. All are made once. */
final class DocumentEndpoints {
  private final Answer yaml;
  private final Answer json;
  private final Answer page;

  DocumentEndpoints(ApiDocument document) {
    yaml = tagged("application/yaml", bytes(new YAMLMapper().writeValueAsString(document.tree())));
    json = tagged(Json.MEDIA_TYPE, Json.bytes(document.tree()));
    page =
        tagged("text/html; charset=utf-8", bytes(new DocumentPage(document).html()))
            .with("Content-Security-Policy", SecurityHeaders.PAGE_POLICY);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static Answer tagged(String mediaType, byte[] body) {
    return Answer.shared(200, mediaType, body).with("ETag", "\"" + sha256(body) + "\"");
  }

  private static String sha256(byte[] body) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  Map<String, Endpoint> all() {
    return Map.of("document", _ -> yaml, "documentJson", _ -> json, "documentation", _ -> page);
  }
}
