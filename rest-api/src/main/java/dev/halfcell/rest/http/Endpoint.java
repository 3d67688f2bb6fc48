package dev.halfcell.rest.http;

import java.util.Optional;

/** Does what an operation of the document says. It may block. */
@FunctionalInterface
interface Endpoint {
  /**
   * What is answered.
   *
   * @throws Refusal or {@link dev.halfcell.rest.service.RefusedException} where it is not done
   */
  Answer answer(Request request);

  /**
   * The same where it is known without waiting for anything, such as a disk: it is asked for on the
   * event loop, which then needs no other thread for it.
   */
  default Optional<Answer> known(Request request) {
    return Optional.empty();
  }
}
