package dev.halfcell.rest.http;

import dev.halfcell.rest.service.JobService;
import java.util.Optional;

/** Tells a job as it is. Of all that is asked for, this is asked for most. */
final class JobReading implements Endpoint {
  private final JobService jobs;
  private final JobAnswers answers;

  JobReading(JobService jobs, JobAnswers answers) {
    this.jobs = jobs;
    this.answers = answers;
  }

  @Override
  public Answer answer(Request request) {
    return answers.unlessKnown(request, jobs.find(request.caller(), request.path("id")));
  }

  @Override
  public Optional<Answer> known(Request request) {
    return jobs.known(request.caller(), request.path("id"))
        .filter(answers::told)
        .map(job -> answers.unlessKnown(request, job));
  }
}
