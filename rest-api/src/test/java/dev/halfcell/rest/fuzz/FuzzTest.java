package dev.halfcell.rest.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A server answers whatever it is asked as its document has it. {@code -Dhalfcell.requests=20000}
 * asks more, {@code -Dhalfcell.requests.seed=2} other things.
 */
final class FuzzTest {
  private static final int ROUND = 100;
  private static final int MOST_FAULTS = 20;
  private static final JsonMapper JSON = new JsonMapper();

  private final Map<Ask.Kind, Integer> kinds = new EnumMap<>(Ask.Kind.class);
  private final Map<Integer, Integer> statuses = new TreeMap<>();
  private final Map<String, String> faults = new LinkedHashMap<>();
  private final Set<String> jobs = new LinkedHashSet<>();
  private final Set<String> comparisons = new LinkedHashSet<>();
  private long slowest;

  @Test
  void whateverIsAskedIsAnsweredAsTheDocumentHasIt(@TempDir Path root) throws IOException {
    int requests = Integer.getInteger("halfcell.requests", 2_000);
    long seed = Long.getLong("halfcell.requests.seed", 16);
    System.out.println("fuzz: seed " + seed + ", " + requests + " requests");
    long began = System.nanoTime();
    try (World world = World.open(root);
        RawClient client = new RawClient(world.port())) {
      Api api = Api.read(client.send(document()).body());
      warmUp(api, client);
      for (int from = 0; from < requests; from += ROUND) {
        world.renew();
        jobs.addAll(world.jobs());
        assertEquals(World.PREPARED, jobs.size());
        round(api, client, new Random(seed + from), Math.min(ROUND, requests - from), seed + from);
        assertEquals(
            jobs, world.jobs(), "jobs that were neither made nor deleted, round " + (seed + from));
        jobs.clear();
        comparisons.clear();
      }
    }
    System.out.printf(
        "fuzz: %d ms, slowest %d ms%nfuzz: %s%nfuzz: %s%n",
        (System.nanoTime() - began) / 1_000_000, slowest, kinds, statuses);
    assertTrue(faults.isEmpty(), () -> String.join("\n\n", faults.values()));
  }

  private static Ask document() {
    return get(Optional.empty(), "/openapi.yaml", Ask.Kind.VALID, 200);
  }

  /** The first count of memory finds its library and has it compiled: that is no slow answer. */
  private static void warmUp(Api api, RawClient client) throws IOException {
    Reply reply = Reply.none(Duration.ZERO);
    for (int tries = 0; tries < 10 && reply.status() == 0; tries++) {
      reply = client.send(get(api, "previewPlan", "/v1/networks/lenet5/plan"));
    }
    assertEquals(200, reply.status());
  }

  private void round(Api api, RawClient client, Random random, int count, long seed)
      throws IOException {
    Asks asks = new Asks(api, new Asks.Place(World.TOKEN, World.READER, this::known), random);
    Checks checks = new Checks(api);
    for (int i = 0; i < count; i++) {
      Ask ask = asks.any();
      Reply reply = asked(client, checks, ask, seed);
      for (Ask next : following(api, ask, reply)) {
        asked(client, checks, next, seed);
      }
    }
    Ask health = asks.valid(api.operation("health"));
    asked(client, checks, health.expecting(Ask.Kind.VALID, "health", Set.of(200)), seed);
  }

  private List<String> known(String parameter) {
    return switch (parameter) {
      case "id" -> List.copyOf(jobs);
      case "comparison" -> List.copyOf(comparisons);
      case "name" -> List.of("model.safetensors", "summary.json", "metrics.jsonl", "run.json");
      case "file" -> List.of("dashboard.js", "dashboard.css", "dashboard.svg", "../index.html");
      default -> List.of("lenet5", "mlp");
    };
  }

  private Reply asked(RawClient client, Checks checks, Ask ask, long seed) throws IOException {
    Reply reply = client.send(ask);
    kinds.merge(ask.kind(), 1, Integer::sum);
    statuses.merge(reply.status(), 1, Integer::sum);
    slowest = Math.max(slowest, reply.took().toMillis());
    for (Checks.Fault fault : checks.faults(ask, reply)) {
      String where = ask.operation().map(Api.Operation::id).orElse("nowhere");
      String key = fault.check() + " " + where + " " + ask.how();
      if (faults.size() < MOST_FAULTS) {
        faults.putIfAbsent(key, fault + " (round " + seed + ")\n" + ask + "\n-> " + reply);
      }
    }
    remember(ask, reply);
    return reply;
  }

  /** Which jobs there are now, as answers say. */
  private void remember(Ask ask, Reply reply) {
    String operation = ask.operation().map(Api.Operation::id).orElse("");
    if (reply.status() == 202 && ask.method().equals("POST")) {
      JsonNode made = JSON.readTree(reply.text());
      jobs.addAll(
          operation.equals("submitComparison")
              ? made.get("rows").valueStream().map(row -> row.get("job").stringValue()).toList()
              : List.of(made.get("id").stringValue()));
      if (operation.equals("submitComparison")) {
        comparisons.add(made.get("id").stringValue());
      }
    }
    if (reply.status() == 204) {
      jobs.remove(last(ask.path()));
    }
  }

  private static String last(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** What was made is there at once, and what was deleted is not. */
  private static List<Ask> following(Api api, Ask ask, Reply reply) {
    Optional<String> made = reply.header("Location").filter(_ -> reply.status() == 202);
    if (made.isPresent()) {
      String operation = made.get().contains("/comparisons/") ? "getComparison" : "getJob";
      return List.of(get(api, operation, made.get(), Ask.Kind.MADE, 200));
    }
    return reply.status() == 204
        ? List.of(
            get(api, "getJob", ask.path(), Ask.Kind.GONE, 404),
            get(api, "getLogs", ask.path() + "/logs", Ask.Kind.GONE, 404),
            get(api, "listArtifacts", ask.path() + "/artifacts", Ask.Kind.GONE, 404))
        : List.of();
  }

  private static Ask get(Api api, String operation, String target) {
    return get(api, operation, target, Ask.Kind.VALID, 200);
  }

  private static Ask get(Api api, String operation, String target, Ask.Kind kind, int status) {
    return get(Optional.of(api.operation(operation)), target, kind, status);
  }

  private static Ask get(
      Optional<Api.Operation> operation, String target, Ask.Kind kind, int status) {
    return new Ask(
            kind,
            operation,
            "afterwards",
            "GET",
            target,
            List.of(),
            Optional.empty(),
            Set.of(status),
            false)
        .with("Host", "localhost")
        .with("Authorization", "Bearer " + World.TOKEN);
  }
}
