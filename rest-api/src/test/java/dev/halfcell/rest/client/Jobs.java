package dev.halfcell.rest.client;

/** Jobs as servers tell of them. */
final class Jobs {
  static final String ID = "0123456789abcdef0123456789abcdef";

  private Jobs() {}

  /** With what has to be there, and nothing else. */
  static String json(String id, String state) {
    return """
    {"id":"%s","owner":"local","labels":{},"priority":0,"pinned":false,"network":"lenet5",\
    "level":"O2","state":"%s","statusReason":{"code":"TRAINING","message":"It trains.",\
    "since":"2026-01-01T00:00:00Z"},"metrics":{},"attempt":1,"estimatedBytes":1,\
    "createdAt":"2026-01-01T00:00:00Z","revision":1}"""
        .formatted(id, state);
  }

  static String json(String state) {
    return json(ID, state);
  }

  /** An event as a stream has it. */
  static String event(long number, String kind, String data) {
    return """
    id: %d
    event: %s
    data: {"job":"%s","number":%d,"attempt":1,"at":"2026-01-01T00:00:00Z","kind":"%s","data":%s}

    """
        .formatted(number, kind, ID, number, kind, data);
  }

  static String end(String state) {
    return "event: end\ndata: {\"state\":\"" + state + "\"}\n\n";
  }
}
