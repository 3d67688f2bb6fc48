package dev.halfcell.rest.http;

import dev.halfcell.rest.service.FieldError;
import dev.halfcell.rest.service.RefusedException;
import dev.halfcell.rest.service.Samples;
import dev.halfcell.tensor.Shape;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Reads the samples of a request: nested arrays of numbers, all of one shape. One thread. */
final class SampleReading {
  /** How many samples a request may have. */
  static final int MOST = 64;

  private static final String INPUTS = "/inputs";
  private static final int MOST_ERRORS = 10;
  private static final int LARGEST_PIXEL = 255;

  private final boolean pixels;
  private final List<Float> numbers = new ArrayList<>();
  private final List<FieldError> wrong = new ArrayList<>();
  private final Deque<Integer> at = new ArrayDeque<>();

  private SampleReading(boolean pixels) {
    this.pixels = pixels;
  }

  /**
   * What is there.
   *
   * @param pixels whether they are pixels from 0 to 255
   * @param shapes the shapes [C, H, W] that there may be; one of a single channel may leave it out
   * @throws RefusedException where it is anything else, or too much
   */
  static Samples read(JsonNode inputs, boolean pixels, List<Shape> shapes) {
    if (inputs.size() > MOST) {
      throw Refusal.of(
          ProblemKind.TOO_LARGE,
          "A request may have at most " + MOST + " samples, got " + inputs.size() + ".");
    }
    Shape shape = shape(inputs.get(0), shapes);
    SampleReading reading = new SampleReading(pixels);
    reading.visit(inputs, shape.behind(inputs.size()), 0);
    if (!reading.wrong.isEmpty()) {
      throw RefusedException.invalid(reading.wrong);
    }
    Shape whole = shape.rank() == 2 ? shape.behind(1) : shape;
    return new Samples(whole.behind(inputs.size()).dims(), reading.numbers, pixels);
  }

  /** All samples have to be like the first. */
  private static Shape shape(JsonNode first, List<Shape> shapes) {
    List<Shape> allowed =
        shapes.stream()
            .flatMap(shape -> shape.dim(0) == 1 ? Stream.of(shape, shape.tail()) : Stream.of(shape))
            .toList();
    List<Integer> found = new ArrayList<>();
    for (JsonNode node = first; node != null && node.isArray(); node = node.get(0)) {
      found.add(node.size());
    }
    return allowed.stream()
        .filter(shape -> shape.dims().equals(found))
        .findFirst()
        .orElseThrow(
            () -> {
              String expected =
                  allowed.stream().map(Shape::toString).collect(Collectors.joining(" or "));
              return RefusedException.invalid(
                  List.of(
                      new FieldError(
                          INPUTS + "/0",
                          "expected numbers in arrays of " + expected + ", got " + found + ".",
                          Optional.of(expected))));
            });
  }

  private void visit(JsonNode node, Shape shape, int axis) {
    if (axis == shape.rank()) {
      number(node);
    } else if (!node.isArray()) {
      expected("an array of " + shape.dim(axis), said(node));
    } else if (node.size() != shape.dim(axis)) {
      expected("an array of " + shape.dim(axis), "one of " + node.size());
    } else {
      for (int i = 0; i < node.size() && wrong.size() < MOST_ERRORS; i++) {
        at.addLast(i);
        visit(node.get(i), shape, axis + 1);
        at.removeLast();
      }
    }
  }

  private void number(JsonNode node) {
    float number = node.isNumber() ? (float) node.doubleValue() : Float.NaN;
    if (pixels) {
      boolean pixel = node.canConvertToInt() && number >= 0 && number <= LARGEST_PIXEL;
      if (!node.isIntegralNumber() || !pixel) {
        expected("a whole number from 0 to " + LARGEST_PIXEL, said(node));
      }
    } else if (!Float.isFinite(number)) {
      expected("a number that FP32 holds", said(node));
    }
    numbers.add(number);
  }

  private static String said(JsonNode node) {
    return node.isNumber() ? node.toString() : node.getNodeType().name().toLowerCase(Locale.ROOT);
  }

  private void expected(String what, String got) {
    String pointer = at.stream().map(i -> "/" + i).collect(Collectors.joining("", INPUTS, ""));
    wrong.add(
        new FieldError(pointer, "expected " + what + ", got " + got + ".", Optional.of(what)));
  }
}
