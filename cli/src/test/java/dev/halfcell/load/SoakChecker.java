package dev.halfcell.load;

import dev.halfcell.cli.SeenJobs;
import dev.halfcell.rest.job.JobState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;

/** Keeps what was seen of jobs, and what must not have been. Threads may share it. */
final class SoakChecker {
  private final Map<String, String> idsByKey = new ConcurrentHashMap<>();
  private final SeenJobs seen = new SeenJobs();
  private final List<String> violations = new ArrayList<>();

  /** A submission was answered. */
  void accepted(String key, String id) {
    String first = idsByKey.putIfAbsent(key, id);
    if (first != null && !first.equals(id)) {
      violated("key " + key + " gave " + first + " and " + id);
    }
  }

  /** The jobs that were accepted. */
  List<String> accepted() {
    return List.copyOf(idsByKey.values());
  }

  /** A job was read, by one who reads it again later: two readers may see it in another order. */
  void seen(JsonNode job) {
    seen.see(
        new SeenJobs.Seen(
            job.get("id").stringValue(),
            JobState.valueOf(job.get("state").stringValue()),
            job.get("attempt").longValue(),
            job.at("/progress/step").asLong(0),
            job.get("revision").longValue()));
  }

  /** Something happened that must not. */
  void violated(String what) {
    synchronized (violations) {
      violations.add(what);
    }
  }

  /** Compares with all jobs that the server lists at the end. */
  List<String> end(List<JsonNode> listed) {
    Set<String> ids = new HashSet<>();
    for (JsonNode job : listed) {
      seen(job);
      String id = job.get("id").stringValue();
      if (!ids.add(id)) {
        violated(id + " is listed twice");
      }
      if (!JobState.valueOf(job.get("state").stringValue()).terminal()) {
        violated(id + " has no end: " + job.get("state"));
      }
      if (job.get("state").stringValue().equals("FAILED")) {
        violated(id + " failed: " + job.get("statusReason"));
      }
    }
    Set<String> wanted = Set.copyOf(idsByKey.values());
    if (!ids.equals(wanted)) {
      violated("accepted and listed are not the same: " + wanted.size() + ", " + ids.size());
    }
    List<String> all = new ArrayList<>(seen.violations());
    synchronized (violations) {
      all.addAll(violations);
    }
    return all;
  }
}
