package dev.halfcell.rest.http;

import dev.halfcell.rest.service.Point;
import dev.halfcell.rest.service.Series;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Series as JSON. */
final class SeriesJson {
  private SeriesJson() {}

  static ObjectNode of(Series series) {
    ObjectNode node = Json.object();
    node.put("sampled", series.sampled());
    node.put("totalPoints", series.steps());
    ArrayNode steps = node.putArray("steps");
    ArrayNode overflows = node.putArray("overflows");
    for (Point point : series.points()) {
      steps.add(point.lastStep());
      overflows.add(point.overflows());
    }
    ObjectNode all = node.putObject("series");
    series.names().forEach(name -> values(all.putObject(name), series, name));
    ArrayNode epochs = node.putArray("epochs");
    for (Series.Epoch epoch : series.epochs()) {
      ObjectNode each = epochs.addObject();
      each.put("epoch", epoch.epoch());
      each.put("step", epoch.step());
      ObjectNode values = each.putObject("values");
      epoch.values().forEach((name, value) -> values.set(name, Json.number(values, value)));
    }
    return node;
  }

  private static void values(ObjectNode to, Series series, String name) {
    ArrayNode last = to.putArray("last");
    ArrayNode least = to.putArray("min");
    ArrayNode greatest = to.putArray("max");
    for (Point point : series.points()) {
      last.add(Json.number(to, point.range(name).map(Point.Range::last).orElse(Double.NaN)));
      least.add(Json.number(to, point.range(name).map(Point.Range::least).orElse(Double.NaN)));
      greatest.add(
          Json.number(to, point.range(name).map(Point.Range::greatest).orElse(Double.NaN)));
    }
  }
}
