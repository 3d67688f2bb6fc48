package dev.halfcell.cpu.onednn;

import dev.halfcell.tensor.Problem;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import org.bytedeco.javacpp.Loader;

/**
 * Where the native libraries lie. JavaCPP unpacks them from their jar into its cache, side by side,
 * and loads nothing: they are opened through {@code java.lang.foreign}.
 *
 * @param onednn the library
 * @param openmp the OpenMP runtime that it was linked with
 */
record NativeFiles(Path onednn, Path openmp) {
  private static final String ONEDNN = "libdnnl.so.3";
  private static final String OPENMP = "libgomp.so.1";
  private static final String ARTIFACT = "org.bytedeco:dnnl:3.11-1.5.13";

  /** Unpacks them where that has not been done before. */
  static NativeFiles unpack() {
    String platform = Loader.getPlatform();
    return new NativeFiles(unpack(platform, ONEDNN), unpack(platform, OPENMP));
  }

  private static Path unpack(String platform, String file) {
    String resource = "org/bytedeco/dnnl/" + platform + "/" + file;
    URL url = Loader.class.getClassLoader().getResource(resource);
    if (url == null) {
      throw new NativeLibraryException(
          new Problem(
              "oneDNN",
              resource,
              file + " on the class path",
              "none for the platform " + platform,
              "Put "
                  + ARTIFACT
                  + ":"
                  + platform
                  + " on the class path; it exists for 64-bit x86."));
    }
    try {
      return Loader.cacheResource(url).toPath();
    } catch (IOException e) {
      throw new NativeLibraryException(
          new Problem(
              "oneDNN",
              url.toString(),
              "a cache folder to unpack " + file + " into",
              String.valueOf(e.getMessage()),
              "Free space in it, or name another with -Dorg.bytedeco.javacpp.cachedir=DIR."),
          e);
    }
  }
}
