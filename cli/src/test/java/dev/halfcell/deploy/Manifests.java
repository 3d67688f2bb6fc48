package dev.halfcell.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The files of {@code deploy/kubernetes}, by kind and name of what they describe. */
record Manifests(Map<String, JsonNode> all) {
  private static final Path FOLDER =
      Path.of(System.getProperty("halfcell.root"), "deploy", "kubernetes");

  /** Reads all of them; no two describe the same. */
  static Manifests read() throws IOException {
    Map<String, JsonNode> all = new LinkedHashMap<>();
    try (var files = Files.list(FOLDER)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".yaml")).sorted().toList()) {
        for (JsonNode each : documents(file)) {
          String key = each.path("kind").asString() + " " + each.at("/metadata/name").asString();
          assertEquals(null, all.put(key, each), key);
        }
      }
    }
    return new Manifests(all);
  }

  private static List<JsonNode> documents(Path file) throws IOException {
    try (MappingIterator<JsonNode> documents =
        new YAMLMapper().readerFor(JsonNode.class).readValues(Files.readString(file))) {
      return documents.readAll();
    }
  }

  JsonNode of(String kind, String name) {
    JsonNode found = all.get(kind + " " + name);
    if (found == null) {
      throw new AssertionError("no " + kind + " " + name + " in " + all.keySet());
    }
    return found;
  }

  /** What a deployment makes pods from. */
  JsonNode pod(String deployment) {
    return of("Deployment", deployment).at("/spec/template/spec");
  }

  /** The only container of a deployment. */
  JsonNode container(String deployment) {
    JsonNode containers = pod(deployment).path("containers");
    assertEquals(1, containers.size());
    return containers.get(0);
  }

  /**
   * Lays out what a container's volumes hold below a folder, as Kubernetes mounts it.
   *
   * @return where each mount path is
   */
  Map<String, Path> mount(String deployment, Path below) throws IOException {
    Map<String, Path> places = new LinkedHashMap<>();
    for (JsonNode mount : container(deployment).path("volumeMounts")) {
      JsonNode volume = named(pod(deployment).path("volumes"), mount.path("name").asString());
      Path place = below.resolve(mount.path("mountPath").asString().substring(1));
      Files.createDirectories(place);
      for (Map.Entry<String, String> file : contents(volume).entrySet()) {
        Files.writeString(place.resolve(file.getKey()), file.getValue());
      }
      places.put(mount.path("mountPath").asString(), place);
    }
    return places;
  }

  static JsonNode named(JsonNode list, String name) {
    return StreamSupport.stream(list.spliterator(), false)
        .filter(each -> each.path("name").asString().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("none is called " + name + ": " + list));
  }

  /** Files by their names; none for claims and empty folders. */
  private Map<String, String> contents(JsonNode volume) {
    Map<String, String> files = new LinkedHashMap<>();
    if (volume.has("configMap")) {
      JsonNode data = of("ConfigMap", volume.at("/configMap/name").asString()).path("data");
      data.forEachEntry((name, text) -> files.put(name, text.asString()));
    } else if (volume.has("secret")) {
      JsonNode data = of("Secret", volume.at("/secret/secretName").asString()).path("stringData");
      for (JsonNode item : volume.at("/secret/items")) {
        String key = item.path("key").asString();
        files.put(item.path("path").asString(), data.required(key).asString());
      }
    } else if (volume.has("persistentVolumeClaim")) {
      of("PersistentVolumeClaim", volume.at("/persistentVolumeClaim/claimName").asString());
    }
    return files;
  }

  /** The words of a container's command line behind the image's own. */
  List<String> arguments(String deployment) {
    List<String> words = new ArrayList<>();
    container(deployment).path("args").forEach(word -> words.add(word.asString()));
    return words;
  }
}
