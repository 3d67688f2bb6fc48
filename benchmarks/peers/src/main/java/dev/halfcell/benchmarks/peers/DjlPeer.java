package dev.halfcell.benchmarks.peers;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Parameter;
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
  private final NDArray data;
  private final NDArray labels;

  DjlPeer(Order order) throws IOException {
    DjlLayers network = DjlLayers.of(order.network().layers());
    Model model = Model.newInstance("peer");
    model.setBlock(network.block());
    Tracker rate = Tracker.fixed((float) order.learningRate());
    Optimizer momentum = Optimizer.sgd().setLearningRateTracker(rate).optMomentum(0.9f).build();
    trainer =
        model.newTrainer(
            new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
                .optOptimizer(momentum)
                .optDevices(new Device[] {Device.cpu()}));
    Shape shape = new Shape(order.network().batch(order.batch()));
    trainer.initialize(shape);
    try (StartValues start = StartValues.open(order.start())) {
      network.parameters().forEach(parameter -> set(parameter, start));
      NDManager manager = trainer.getManager();
      data = manager.create(start.next(shape.getShape()), shape);
      labels = manager.create(start.next(order.batch()));
      start.requireNoneLeft();
    }
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
        NDArray logits = trainer.forward(new NDList(data)).singletonOrThrow();
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
