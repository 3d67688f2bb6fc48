package dev.halfcell.rest.http;

import dev.halfcell.rest.service.Predictions;
import dev.halfcell.rest.service.Samples;
import dev.halfcell.rest.service.TrainedModel;
import dev.halfcell.rest.worker.FromWorker.Predicted;
import dev.halfcell.zoo.run.Prediction;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Runs the model of a job. */
final class PredictionEndpoint implements Endpoint {
  private static final int TOP = 3;

  private final Predictions predictions;

  PredictionEndpoint(Predictions predictions) {
    this.predictions = predictions;
  }

  @Override
  public Answer answer(Request request) {
    long begun = System.nanoTime();
    JsonNode body = request.body().orElseThrow();
    TrainedModel model =
        predictions.model(
            request.caller(),
            body.get("job").stringValue(),
            body.path("level").asStringOpt(),
            body.path("half").asStringOpt());
    Samples samples =
        SampleReading.read(
            body.get("inputs"), body.path("pixels").asBoolean(false), model.shapes());
    Predicted predicted =
        predictions.predict(model, samples, body.path("top").asInt(TOP), request.left());
    ObjectNode node = Json.object();
    node.put("job", model.job().id().text());
    node.put("modelSha256", model.file().sha256());
    node.put("network", model.network().name());
    node.put("level", predicted.level());
    node.put("half", predicted.half());
    node.put("device", predicted.device());
    node.put("milliseconds", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
    ArrayNode all = node.putArray("predictions");
    predicted.predictions().forEach(each -> all.add(json(each)));
    return Json.answer(200, node);
  }

  private static ObjectNode json(Prediction prediction) {
    ObjectNode node = Json.object();
    ArrayNode logits = node.putArray("logits");
    prediction.logits().forEach(logits::add);
    ArrayNode probabilities = node.putArray("probabilities");
    prediction.probabilities().forEach(probabilities::add);
    ArrayNode classes = node.putArray("classes");
    for (Prediction.Guess guess : prediction.guesses()) {
      ObjectNode each = classes.addObject();
      each.put("label", guess.label());
      Json.put(each, "name", guess.name());
      each.put("probability", guess.probability());
    }
    return node;
  }
}
