package dev.halfcell.rest.http;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.service.Admission;
import dev.halfcell.rest.service.ArtifactKind;
import dev.halfcell.rest.service.Artifacts;
import dev.halfcell.rest.service.JobFolders;
import dev.halfcell.rest.service.JobService;
import dev.halfcell.rest.service.KnownSeries;
import dev.halfcell.rest.service.OverflowReport;
import dev.halfcell.rest.service.Preview;
import dev.halfcell.rest.service.RefusedException;
import dev.halfcell.rest.service.Series;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What jobs have written, and what is planned for them. */
final class RunEndpoints {
  private final JobService jobs;
  private final JobFolders folders;
  private final Artifacts artifacts;
  private final Preview preview;
  private final Admission admission;
  private final KnownSeries series = new KnownSeries();

  RunEndpoints(
      JobService jobs,
      JobFolders folders,
      Artifacts artifacts,
      Preview preview,
      Admission admission) {
    this.jobs = jobs;
    this.folders = folders;
    this.artifacts = artifacts;
    this.preview = preview;
    this.admission = admission;
  }

  Map<String, Endpoint> all() {
    Map<String, Endpoint> all = new LinkedHashMap<>();
    all.put("getMetrics", this::metrics);
    all.put("getPlan", this::plan);
    all.put("getDiagnosis", this::diagnosis);
    all.put("getSummary", this::summary);
    all.put("listArtifacts", this::list);
    all.put("getArtifact", this::artifact);
    return all;
  }

  private JobId job(Request request) {
    return jobs.find(request.caller(), request.path("id")).id();
  }

  private Path rows(JobId job) {
    return folders.run(job).resolve(ArtifactKind.METRICS.file());
  }

  private Answer metrics(Request request) {
    JobId job = job(request);
    Path rows = rows(job);
    long from = request.number("from").orElse(0L);
    long to = request.number("to").orElse(Long.MAX_VALUE);
    if (request.mediaType().equals("text/csv")) {
      return new Answer.Flow(
          Map.of("Content-Type", "text/csv; charset=utf-8"),
          outlet -> CsvAnswer.write(rows, from, to, outlet));
    }
    int most = request.count("points");
    boolean all = from == 0 && to == Long.MAX_VALUE;
    Series read = all ? series.of(job, rows, most) : Series.read(rows, from, to, most);
    return Json.answer(200, SeriesJson.of(read));
  }

  private Answer plan(Request request) {
    Job job = jobs.find(request.caller(), request.path("id"));
    JobSpecification resolved = JobSpecification.ofJson(job.resolved());
    return planned(request, resolved, preview, admission);
  }

  static Answer planned(
      Request request, JobSpecification resolved, Preview preview, Admission admission) {
    if (request.mediaType().equals("text/plain")) {
      return Json.text(preview.plan(resolved).text());
    }
    String json = preview.planJson(resolved, admission.measured(resolved).memory());
    return Json.answer(200, Json.read(json));
  }

  private Answer diagnosis(Request request) {
    return Json.answer(200, DiagnosisJson.of(OverflowReport.read(rows(job(request)))));
  }

  private Answer summary(Request request) {
    Artifacts.Artifact summary = artifact(job(request), ArtifactKind.SUMMARY);
    try {
      return Answer.of(200, Json.MEDIA_TYPE, Files.readAllBytes(summary.path()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Artifacts.Artifact artifact(JobId job, ArtifactKind kind) {
    return artifacts
        .find(job, kind)
        .orElseThrow(() -> RefusedException.missing("file of this job yet"));
  }

  private Answer list(Request request) {
    ObjectNode node = Json.object();
    ArrayNode all = node.putArray("artifacts");
    for (Artifacts.Artifact artifact : artifacts.of(job(request))) {
      ObjectNode each = all.addObject();
      each.put("name", artifact.kind().file());
      each.put("bytes", artifact.bytes());
      each.put("sha256", artifact.sha256());
      each.put("mediaType", artifact.kind().mediaType());
      each.put("modifiedAt", artifact.modifiedAt().toString());
    }
    return Json.answer(200, node);
  }

  private Answer artifact(Request request) {
    JobId job = job(request);
    ArtifactKind kind =
        ArtifactKind.named(request.path("name"))
            .orElseThrow(() -> RefusedException.missing("file of a job"));
    Artifacts.Artifact artifact = artifact(job, kind);
    String tag = "\"" + artifact.sha256() + "\"";
    if (Conditions.unchanged(request, tag)) {
      return Answer.empty(304).with("ETag", tag);
    }
    Optional<ByteRange> range = ByteRange.of(request.textOf("Range"), artifact.bytes());
    ByteRange part = range.orElse(new ByteRange(0, artifact.bytes()));
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", kind.mediaType());
    headers.put("ETag", tag);
    headers.put("Accept-Ranges", "bytes");
    headers.put("X-Content-SHA256", artifact.sha256());
    headers.put("Content-Disposition", "attachment; filename=\"" + kind.file() + "\"");
    range.ifPresent(said -> headers.put("Content-Range", said.header(artifact.bytes())));
    return new Answer.Part(
        range.isPresent() ? 206 : 200, headers, artifact.path(), part.from(), part.length());
  }
}
