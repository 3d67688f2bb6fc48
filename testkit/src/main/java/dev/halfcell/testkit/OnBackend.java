package dev.halfcell.testkit;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.tensor.TensorScope;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests on a backend that is opened for each of them and closed behind it. */
public abstract class OnBackend {
  private final TensorScope scope = TensorScope.open();
  private Backend backend = new ReferenceBackend();

  /** Opens the backend that is held to the contract. */
  protected abstract Backend open();

  @BeforeEach
  final void openBackend() {
    backend = open();
  }

  @AfterEach
  final void closeBackend() {
    backend.close();
    scope.close();
  }

  /** What is held to the contract. */
  final Backend backend() {
    return backend;
  }

  /** Where a test's own tensors live until it ends. */
  final TensorScope scope() {
    return scope;
  }
}
