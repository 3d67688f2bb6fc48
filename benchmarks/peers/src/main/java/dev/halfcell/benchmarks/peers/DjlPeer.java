package dev.halfcell.benchmarks.peers;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Blocks;
import ai.djl.nn.Parameter;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.convolutional.Conv2d;
import ai.djl.nn.core.Linear;
import ai.djl.nn.pooling.Pool;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.GradientCollector;
import ai.djl.training.Trainer;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.Map;

/** DJL with PyTorch as its engine, in FP32. It takes its settings from the environment. */
final class DjlPeer implements Peer {
  private final Trainer trainer;
  private final NDArray images;
  private final NDArray labels;

  DjlPeer(Order order) throws IOException {
    SequentialBlock block = new SequentialBlock();
    order.network().layers().forEach(layer -> add(layer, block));
    Model model = Model.newInstance("peer");
    model.setBlock(block);
    Optimizer momentum =
        Optimizer.sgd().setLearningRateTracker(Tracker.fixed(0.01f)).optMomentum(0.9f).build();
    trainer =
        model.newTrainer(
            new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
                .optOptimizer(momentum)
                .optDevices(new Device[] {Device.cpu()}));
    Shape shape = new Shape(order.network().batch(order.batch()));
    trainer.initialize(shape);
    StartValues start = StartValues.read(order.start());
    block.getParameters().values().forEach(parameter -> set(parameter, start));
    NDManager manager = trainer.getManager();
    images = manager.create(start.next(shape.getShape()), shape);
    labels = manager.create(start.next(order.batch()));
    start.requireNoneLeft();
  }

  private static void add(Layer layer, SequentialBlock to) {
    switch (layer) {
      case Layer.Convolution(_, int outputs, int kernel) ->
          to.add(Conv2d.builder().setKernelShape(square(kernel)).setFilters(outputs).build());
      case Layer.Relu() -> to.add(Activation::relu);
      case Layer.MaxPool(int side) -> to.add(Pool.maxPool2dBlock(square(side), square(side)));
      case Layer.Flatten() -> to.add(Blocks.batchFlattenBlock());
      case Layer.Dense(_, int outputs) -> to.add(Linear.builder().setUnits(outputs).build());
    }
  }

  private static Shape square(int side) {
    return new Shape(side, side);
  }

  private static void set(Parameter parameter, StartValues start) {
    NDArray values = parameter.getArray();
    values.set(FloatBuffer.wrap(start.next(values.getShape().getShape())));
  }

  @Override
  public double step() {
    double loss = forwardAndBackward();
    trainer.step();
    return loss;
  }

  private double forwardAndBackward() {
    try (GradientCollector collector = trainer.newGradientCollector();
        NDArray logits = trainer.forward(new NDList(images)).singletonOrThrow();
        NDArray loss = trainer.getLoss().evaluate(new NDList(labels), new NDList(logits))) {
      collector.backward(loss);
      return loss.getFloat();
    }
  }

  @Override
  public Map<String, String> versions() {
    return Map.of("djl", Engine.getDjlVersion(), "djl_pytorch", Engine.getInstance().getVersion());
  }
}
