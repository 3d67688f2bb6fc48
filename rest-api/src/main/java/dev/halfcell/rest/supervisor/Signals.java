package dev.halfcell.rest.supervisor;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Signals to processes and to groups of them, which Java has no words for. */
final class Signals {
  /** Asks to end. */
  static final int TERM = 15;

  /** Ends. */
  static final int KILL = 9;

  private final MethodHandle kill;

  /** Those of this system. */
  Signals() {
    Linker linker = Linker.nativeLinker();
    kill =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("kill"),
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  }

  /**
   * Sends a signal to a process and to all of the group that it leads; nothing happens where there
   * are none.
   */
  void toGroup(long pid, int signal) {
    send(-pid, signal);
  }

  /** Sends a signal to one process; nothing happens where there is none. */
  void toProcess(long pid, int signal) {
    send(pid, signal);
  }

  private void send(long to, int signal) {
    if (to == 0 || to == -1) {
      throw new IllegalArgumentException("0 and -1 are all processes, not one");
    }
    try {
      var _ = (int) kill.invokeExact((int) to, signal);
    } catch (Throwable e) {
      throw new IllegalStateException("kill(2) throws nothing", e);
    }
  }
}
