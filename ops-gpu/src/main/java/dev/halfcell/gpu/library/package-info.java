/**
 * Libraries of NVIDIA beside the driver, found when the program runs and called through {@code
 * java.lang.foreign}: cuBLASLt of CUDA 12 and 13, and cuDNN 9. None of them has to be there.
 * Nothing of their types leaves this package.
 */
@NullMarked
package dev.halfcell.gpu.library;

import org.jspecify.annotations.NullMarked;
