package dev.halfcell.benchmarks.peers;

import java.util.List;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/** What libtorch takes for each layer. */
record TorchLayers(TorchValues values) {
  private static final double EPSILON = 1e-5;

  UnaryOperator<Tensor> sequence(List<Layer> layers) {
    List<UnaryOperator<Tensor>> made = layers.stream().map(this::layer).toList();
    return x -> {
      Tensor y = x;
      for (UnaryOperator<Tensor> layer : made) {
        y = layer.apply(y);
      }
      return y;
    };
  }

  private UnaryOperator<Tensor> layer(Layer layer) {
    return switch (layer) {
      case Layer.Convolution convolution -> convolution(convolution);
      case Layer.BatchNorm(int channels) -> batchNorm(channels);
      case Layer.Relu() -> torch::relu;
      case Layer.Gelu() -> torch::gelu;
      case Layer.MaxPool(int side, int stride, int padding) ->
          x -> torch.max_pool2d(x, both(side), both(stride), both(padding), both(1), false);
      case Layer.GlobalAveragePool() -> x -> torch.adaptive_avg_pool2d(x, 1, 1).flatten(1, -1);
      case Layer.Flatten() -> x -> x.flatten(1, -1);
      case Layer.Dense(int inputs, int outputs) -> dense(inputs, outputs);
      case Layer.Residual(List<Layer> branch, List<Layer> shortcut) -> residual(branch, shortcut);
      case Layer.LayerNorm(int features) -> layerNorm(features);
      case Layer.SelfAttention(int features, int heads) -> attention(features, heads);
      case Layer.Lstm(int inputs, int hidden, int layers) -> lstm(inputs, hidden, layers);
      case Layer.MeanOfVectors() -> x -> x.mean(1);
    };
  }

  private UnaryOperator<Tensor> convolution(Layer.Convolution of) {
    Tensor weight = values.parameter(of.outputs(), of.inputs(), of.kernel(), of.kernel());
    TensorOptional bias = of.bias() ? values.optional(of.outputs()) : new TensorOptional();
    return x -> torch.conv2d(x, weight, bias, both(of.stride()), both(of.padding()), both(1), 1);
  }

  private static long[] both(long size) {
    return new long[] {size, size};
  }

  private UnaryOperator<Tensor> batchNorm(int channels) {
    TensorOptional gamma = values.optional(channels);
    TensorOptional beta = values.optional(channels);
    TensorOptional mean = new TensorOptional(torch.torch_zeros(channels));
    TensorOptional variance = new TensorOptional(torch.torch_ones(channels));
    return x -> torch.batch_norm(x, gamma, beta, mean, variance, true, 0.1, EPSILON, false);
  }

  private UnaryOperator<Tensor> dense(int inputs, int outputs) {
    Tensor weight = values.parameter(outputs, inputs);
    TensorOptional bias = values.optional(outputs);
    return x -> torch.linear(x, weight, bias);
  }

  private UnaryOperator<Tensor> residual(List<Layer> branch, List<Layer> shortcut) {
    UnaryOperator<Tensor> main = sequence(branch);
    UnaryOperator<Tensor> beside = sequence(shortcut);
    return x -> main.apply(x).add(beside.apply(x));
  }

  private UnaryOperator<Tensor> layerNorm(int features) {
    TensorOptional gamma = values.optional(features);
    TensorOptional beta = values.optional(features);
    return x -> torch.layer_norm(x, new long[] {features}, gamma, beta, EPSILON, false);
  }

  /** By the fused attention, which keeps no scores. */
  private UnaryOperator<Tensor> attention(int features, int heads) {
    UnaryOperator<Tensor> query = dense(features, features);
    UnaryOperator<Tensor> key = dense(features, features);
    UnaryOperator<Tensor> value = dense(features, features);
    UnaryOperator<Tensor> output = dense(features, features);
    return x -> {
      Tensor found =
          torch.scaled_dot_product_attention(
              apart(query.apply(x), heads),
              apart(key.apply(x), heads),
              apart(value.apply(x), heads));
      return output.apply(found.transpose(1, 2).flatten(2, -1));
    };
  }

  /** [N, T, F] → [N, heads, T, F / heads]. */
  private static Tensor apart(Tensor x, int heads) {
    return x.view(x.size(0), x.size(1), heads, x.size(2) / heads).transpose(1, 2);
  }

  private UnaryOperator<Tensor> lstm(int inputs, int hidden, int layers) {
    Tensor[] parameters = new Tensor[4 * layers];
    for (int layer = 0; layer < layers; layer++) {
      int features = layer == 0 ? inputs : hidden;
      parameters[4 * layer] = values.parameter(4L * hidden, features);
      parameters[4 * layer + 1] = values.parameter(4L * hidden, hidden);
      parameters[4 * layer + 2] = values.parameter(4L * hidden);
      parameters[4 * layer + 3] = values.parameter(4L * hidden);
    }
    TensorVector weights = new TensorVector(parameters);
    return x -> {
      Tensor zeros = torch.torch_zeros(layers, x.size(0), hidden);
      TensorVector start = new TensorVector(zeros, zeros);
      // With biases, no dropout, training, one direction, batch first; then the last states.
      return torch.lstm(x, start, weights, true, layers, 0, true, false, true).get1().select(0, -1);
    };
  }
}
