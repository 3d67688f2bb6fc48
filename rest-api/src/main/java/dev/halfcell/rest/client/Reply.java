package dev.halfcell.rest.client;

import java.net.http.HttpHeaders;

/**
 * An answer, whole.
 *
 * @param headers its headers
 * @param body its bytes
 */
record Reply(HttpHeaders headers, byte[] body) {}
