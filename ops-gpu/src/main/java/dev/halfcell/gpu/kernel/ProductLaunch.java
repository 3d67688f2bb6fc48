package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuStream;
import dev.halfcell.gpu.library.Product;

/**
 * A product of matrices by the library.
 *
 * @param otherwise what is launched where the library refuses after all
 */
record ProductLaunch(Product product, Product.Place place, Launch otherwise) implements Launch {
  @Override
  public void on(GpuStream stream) {
    if (!product.queue(stream, place)) {
      otherwise.on(stream);
    }
  }
}
