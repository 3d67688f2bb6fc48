package dev.halfcell.rest;

import dev.halfcell.rest.http.HttpServerSettings;
import dev.halfcell.rest.http.Tokens;
import dev.halfcell.rest.service.Admission;
import dev.halfcell.rest.service.JobFolders;
import dev.halfcell.rest.service.RunningWorkers;
import dev.halfcell.rest.store.AcceptLimits;
import dev.halfcell.rest.store.JobStore;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * What a server is made of.
 *
 * @param http how it listens
 * @param tokens who may ask for what
 * @param folders where the files of jobs are
 * @param memory what jobs may hold
 * @param queue how many may wait
 * @param housekeeping how long jobs are kept, and what they may take
 * @param store opens the store, which the server closes
 * @param workers starts the workers
 * @param drain how long running jobs have to save their state when the server ends
 * @param clock the time
 */
public record ServerSettings(
    HttpServerSettings http,
    Tokens tokens,
    JobFolders folders,
    Admission.Limits memory,
    AcceptLimits queue,
    Housekeeping housekeeping,
    Supplier<JobStore> store,
    RunningWorkers.Factory workers,
    Duration drain,
    Clock clock) {}
