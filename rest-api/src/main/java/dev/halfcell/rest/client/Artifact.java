package dev.halfcell.rest.client;

import java.time.Instant;

/**
 * A file of a job.
 *
 * @param name what it is asked for by
 * @param bytes its length
 * @param sha256 its SHA-256 in hexadecimal digits
 * @param mediaType what it is
 * @param modifiedAt when it was last written
 */
public record Artifact(
    String name, long bytes, String sha256, String mediaType, Instant modifiedAt) {}
