package dev.halfcell.rest.supervisor;

import java.time.Duration;

/** Why a server killed a worker. */
sealed interface Cut {
  /** Its process could not be started. */
  record Unlaunched(LaunchFailure failure) implements Cut {}

  /** It did not train in time. */
  record Unstarted(Duration after) implements Cut {}

  /** Nothing was heard of it. */
  record Silent(Duration after) implements Cut {}

  /** It held more memory than it may. */
  record TooLarge(long resident, long limit) implements Cut {}

  /** It sent what is no message, or has no place where it came. */
  record Broken(String how) implements Cut {}

  /** It was told to stop and did not in its time. */
  record Unstopped() implements Cut {}

  /** It closed its connection, or said how it ended, and lived on. */
  record Lingering(Duration after) implements Cut {}

  /** Its job is another attempt's now, may be taken by one, or is gone. */
  record Fenced() implements Cut {}
}
