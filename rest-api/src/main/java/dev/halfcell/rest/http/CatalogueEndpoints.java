package dev.halfcell.rest.http;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.BackendProvider;
import dev.halfcell.backend.Backends;
import dev.halfcell.rest.service.Admission;
import dev.halfcell.rest.service.Preview;
import dev.halfcell.rest.service.RefusedException;
import dev.halfcell.tensor.DType;
import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.Networks;
import dev.halfcell.zoo.data.DataSetDefinition;
import dev.halfcell.zoo.data.SyntheticData;
import dev.halfcell.zoo.host.Versions;
import dev.halfcell.zoo.job.JobSpecification;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What this server can do. */
final class CatalogueEndpoints {
  private static final String API = "1";

  private final Preview preview;
  private final Admission admission;

  CatalogueEndpoints(Preview preview, Admission admission) {
    this.preview = preview;
    this.admission = admission;
  }

  Map<String, Endpoint> all() {
    Map<String, Endpoint> all = new LinkedHashMap<>();
    all.put("listNetworks", _ -> networks());
    all.put("getNetwork", request -> Json.answer(200, json(network(request))));
    all.put("previewPlan", this::plan);
    all.put("listDatasets", _ -> datasets());
    all.put("listDevices", _ -> devices());
    all.put("listLevels", _ -> levels());
    all.put("getVersion", _ -> version());
    return all;
  }

  private static Answer networks() {
    ObjectNode node = Json.object();
    ArrayNode all = node.putArray("networks");
    Networks.all().forEach(network -> all.add(json(network)));
    return Json.answer(200, node);
  }

  private static NetworkDefinition network(Request request) {
    return Networks.find(request.path("network"))
        .orElseThrow(() -> RefusedException.missing("network"));
  }

  private static ObjectNode json(NetworkDefinition network) {
    ObjectNode node = Json.object();
    node.put("name", network.name());
    node.put("summary", network.summary());
    node.put("parameters", network.parameters());
    node.put("sample", network.sample().toString());
    node.put("dataset", network.data().name());
    ObjectNode defaults = node.putObject("defaults");
    defaults.put("batchSize", network.defaults().batchSize());
    defaults.put("epochs", network.defaults().epochs());
    defaults.put("learningRate", network.defaults().learningRate());
    defaults.put("momentum", network.defaults().momentum());
    defaults.put("weightDecay", network.defaults().weightDecay());
    return node;
  }

  private Answer plan(Request request) {
    JobSpecification specification = JobSpecification.of(network(request).name());
    specification = said(specification, "/precision/level", request.textOf("level"));
    specification = said(specification, "/precision/half", request.textOf("half"));
    Optional<Integer> rows = request.number("batchSize").map(Math::toIntExact);
    specification = said(specification, "/training/batchSize", rows);
    return RunEndpoints.planned(request, specification.resolved(), preview, admission);
  }

  private static JobSpecification said(
      JobSpecification specification, String pointer, Optional<?> value) {
    return value.isPresent() ? specification.with(pointer, value.get()) : specification;
  }

  private static Answer datasets() {
    ObjectNode node = Json.object();
    ArrayNode all = node.putArray("datasets");
    List<DataSetDefinition> known = Networks.all().stream().map(NetworkDefinition::data).toList();
    Map<String, DataSetDefinition> byName = new LinkedHashMap<>();
    known.forEach(data -> byName.putIfAbsent(data.name(), data));
    for (DataSetDefinition data : byName.values()) {
      ObjectNode each = all.addObject();
      each.put("name", data.name());
      each.put("summary", data.summary());
      each.put("sample", data.sample().toString());
      ArrayNode classes = each.putArray("classes");
      data.classNames().forEach(classes::add);
      each.put("train", data.size().train());
      each.put("test", data.size().test());
    }
    if (!byName.containsKey(SyntheticData.NAME)) {
      ObjectNode synthetic = all.addObject();
      synthetic.put("name", SyntheticData.NAME);
      synthetic.put("summary", "Random numbers in the place of any data set.");
    }
    return Json.answer(200, node);
  }

  private Answer devices() {
    ObjectNode node = Json.object();
    ArrayNode all = node.putArray("devices");
    List<BackendProvider> providers = Backends.providers();
    for (BackendProvider provider : providers) {
      ObjectNode each = all.addObject();
      each.put("name", provider.name());
      each.put("threads", provider.threads());
      each.put(
          "automatic",
          provider.name().equals(providers.getFirst().name()) && provider.preference() >= 0);
    }
    node.put("memoryBytes", admission.limits().machineBytes());
    node.put("jobLimitBytes", admission.limits().most());
    return Json.answer(200, node);
  }

  private static String summary(Level level) {
    return switch (level) {
      case O0 -> "FP32 throughout.";
      case O1 ->
          "Half where it pays (convolutions, dense layers), FP32 where it hurts, the widest input"
              + " elsewhere.";
      case O2 -> "Half, except normalisations and single ops that need FP32.";
      case O3 -> "Half everywhere; a normalisation computes in FP32.";
      case AUTO -> "Each op by its class: as O1, but no class of cells counts.";
    };
  }

  private static Answer levels() {
    ObjectNode node = Json.object();
    ArrayNode all = node.putArray("levels");
    for (Level level : Level.values()) {
      ObjectNode each = all.addObject();
      each.put("name", level.label());
      each.put("summary", summary(level));
      ObjectNode scale = each.putObject("lossScale");
      for (DType half : List.of(DType.FP16, DType.BF16)) {
        scale.put(half.label(), level.defaultScale(half).name());
      }
    }
    return Json.answer(200, node);
  }

  private static Answer version() {
    ObjectNode node = Json.object();
    node.put("api", API);
    ObjectNode versions = node.putObject("versions");
    versions.put("halfcell", Versions.halfcell());
    versions.put("java", Runtime.version().toString());
    ArrayNode devices = node.putArray("devices");
    Backends.providers().forEach(provider -> devices.add(provider.name()));
    ArrayNode levels = node.putArray("levels");
    for (Level level : Level.values()) {
      levels.add(level.label());
    }
    return Json.answer(200, node);
  }
}
