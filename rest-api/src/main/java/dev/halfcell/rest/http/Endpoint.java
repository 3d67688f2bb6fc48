package dev.halfcell.rest.http;

/** Does what an operation of the document says. It may block. */
@FunctionalInterface
interface Endpoint {
  /**
   * What is answered.
   *
   * @throws Refusal or {@link dev.halfcell.rest.service.RefusedException} where it is not done
   */
  Answer answer(Request request);
}
