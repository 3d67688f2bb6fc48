package dev.halfcell.rest.http;

import com.networknt.schema.Schema;
import java.util.List;
import java.util.Optional;

/**
 * An operation of the document.
 *
 * @param id its operationId
 * @param method in upper case
 * @param path with parameters in braces
 * @param scope what a token must be for; none where none is needed
 * @param body what it reads, if anything
 * @param produced the media types that it answers with, the usual one first
 */
record Operation(
    String id,
    String method,
    String path,
    Optional<String> scope,
    List<Parameter> parameters,
    Optional<Body> body,
    List<String> produced) {
  /**
   * What an operation reads.
   *
   * @param required whether there must be one
   * @param schema what it must be like; none where the library checks it
   * @param json reads it
   */
  record Body(boolean required, Optional<Schema> schema, StrictJson json) {}
}
