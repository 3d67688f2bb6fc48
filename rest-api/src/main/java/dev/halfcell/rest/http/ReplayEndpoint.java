package dev.halfcell.rest.http;

import dev.halfcell.rest.service.Replays;
import dev.halfcell.rest.worker.StepDiagnosis;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Runs a step of a job again. */
final class ReplayEndpoint implements Endpoint {
  private final Replays replays;

  ReplayEndpoint(Replays replays) {
    this.replays = replays;
  }

  @Override
  public Answer answer(Request request) {
    long begun = System.nanoTime();
    String job = request.path("id");
    StepDiagnosis found = replays.replay(request.caller(), job, request.left());
    ObjectNode node = Json.object();
    node.put("job", job);
    node.put("values", found.values());
    found.step().ifPresent(step -> node.put("step", step));
    node.put("scale", found.scale());
    node.put("milliseconds", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
    found.offender().ifPresent(offender -> put(node.putObject("offender"), offender));
    ArrayNode demoted = node.putArray("demoted");
    found.demoted().forEach(demoted::add);
    node.put("half", found.half());
    found.bestScale().ifPresent(scale -> node.put("bestScale", scale));
    ArrayNode gradients = node.putArray("gradients");
    found.gradients().forEach(each -> put(gradients.addObject(), each));
    return Json.answer(200, node);
  }

  private static void put(ObjectNode to, StepDiagnosis.NotFinite offender) {
    to.put("path", offender.path());
    to.put("op", offender.op());
    to.put("direction", offender.direction());
    to.put("dtype", offender.dtype());
    to.put("kind", offender.kind());
    to.put("zeros", offender.zeros());
    to.put("subnormals", offender.subnormals());
  }

  private static void put(ObjectNode to, StepDiagnosis.Gradients gradients) {
    to.put("path", gradients.path());
    to.put("parameter", gradients.parameter());
    to.put("inHalf", gradients.inHalf());
    to.put("elements", gradients.elements());
    to.put("zeros", gradients.zeros());
    to.put("nonFinite", gradients.nonFinite());
    to.put("flushed", gradients.flushed());
    to.put("subnormal", gradients.subnormal());
    to.put("leastExponent", gradients.leastExponent());
    ArrayNode counts = to.putArray("counts");
    gradients.counts().forEach(counts::add);
  }
}
