package dev.halfcell.gpu.library;

import dev.halfcell.gpu.driver.LibraryException;
import dev.halfcell.tensor.Problem;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.SymbolLookup;

/**
 * An opened library, which stays open as long as the process: the driver keeps code of it.
 *
 * @param file its path, or its name for the loader
 * @param fix what to do where it is of no use
 */
record NativeLibrary(String file, String fix, SymbolLookup symbols) {
  /**
   * Opens it.
   *
   * @throws LibraryException where it cannot be opened
   */
  static NativeLibrary open(String file, String fix) {
    try {
      return new NativeLibrary(file, fix, SymbolLookup.libraryLookup(file, Arena.global()));
    } catch (IllegalArgumentException e) {
      throw new LibraryException(
          new Problem(
              "gpu",
              file,
              "a library of NVIDIA for this machine",
              "a file that cannot be opened as one",
              fix),
          e);
    }
  }

  /**
   * A function of it.
   *
   * @throws LibraryException where it has none of that name
   */
  NativeFunction function(String name, FunctionDescriptor signature) {
    return NativeFunction.of(
        symbols
            .find(name)
            .orElseThrow(
                () ->
                    new LibraryException(
                        new Problem(
                            "gpu",
                            file,
                            "a library with the function " + name,
                            "one without it",
                            fix))),
        name,
        signature);
  }

  /** A version as NVIDIA's libraries tell it: 13.1.1 is 130101. */
  static String version(long number) {
    return number / 10_000 + "." + number / 100 % 100 + "." + number % 100;
  }

  /** That a call of it failed. */
  LibraryException failed(NativeFunction function, String how) {
    return new LibraryException(
        new Problem("gpu", function.name(), "a call of " + file + " that succeeds", how, ""));
  }
}
