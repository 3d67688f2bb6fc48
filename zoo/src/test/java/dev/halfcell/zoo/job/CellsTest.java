package dev.halfcell.zoo.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.nn.Cell;
import dev.halfcell.tensor.Problem;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Networks as lists of cells. */
final class CellsTest {
  private static final String DENSE =
      "{'cell':'Flatten'},{'cell':'Dense','inChannels':1024,'outChannels':10}";

  private static List<Problem> problems(String cells) {
    return JobSpecification.problems(("{'network': [" + cells + "]}").replace('\'', '"'));
  }

  private static String pointers(String cells) {
    return problems(cells).stream().map(Problem::where).collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'cell':'Conv3d'} | /network/0/cell",
        "{'cell':5} | /network/0/cell",
        "{'kind':'ReLU'} | /network/0",
        "5 | /network/0",
        "{'cell':'ReLU','slope':1} | /network/0/slope",
        "{'cell':'Dense','inChannels':1024} | /network/0/outChannels",
        "{'cell':'Dense','inChannels':1024,'outChannels':-1} | /network/0/outChannels",
        "{'cell':'Dense','inChannels':1024,'outChannels':2147483647} | /network/0/outChannels",
        "{'cell':'Dense','inChannels':1048576,'outChannels':1048576} | /network/0",
        "{'cell':'Conv2d','inChannels':1,'outChannels':1000000,'kernelSize':1048576} | /network/0",
        "{'cell':'Conv2d','inChannels':1,'outChannels':2,'kernelSize':'3'} | /network/0/kernelSize",
        "{'cell':'Conv2d','inChannels':1,'outChannels':2,'kernelSize':[3,3,3]}"
            + " | /network/0/kernelSize",
        "{'cell':'Conv2d','inChannels':1,'outChannels':2,'kernelSize':3,'padding':'full'}"
            + " | /network/0/padding",
        "{'cell':'Conv2d','inChannels':1,'outChannels':2,'kernelSize':3,'groups':2} | /network/0",
        "{'cell':'Conv2d','inChannels':1,'outChannels':2,'kernelSize':33} | /network/0",
        "{'cell':'Conv2d','inChannels':3,'outChannels':2,'kernelSize':3} | /network/0",
        "{'cell':'Dropout','p':1} | /network/0",
        "{'cell':'ReLU'},{'cell':'BatchNorm2d','numFeatures':3} | /network/1",
        "{'cell':'Sequential','cells':[{'cell':'ReLU'},{'cell':'Dropout','p':-1}]}"
            + " | /network/0/cells/1",
        "{'cell':'Sequential','cells':[{'cell':'ReLU'},{'cell':'GroupNorm','numGroups':2,"
            + "'numChannels':4}]} | /network/0/cells/1",
        "{'cell':'Residual','branch':[{'cell':'Conv2d','inChannels':1,'outChannels':2,"
            + "'kernelSize':3}]} | /network/0",
        "{'cell':'Residual','branch':[{'cell':'ReLU'},{'cell':'BatchNorm2d','numFeatures':2}]}"
            + " | /network/0/branch/1",
        "{'cell':'Residual','branch':[]} | /network/0/branch",
        "{'cell':'ReLU'} | /network",
        "{'cell':'Flatten'},{'cell':'Dense','inChannels':1024,'outChannels':9} | /network",
      })
  void aMistakeIsToldWithThePointerOfItsCell(String cells, String pointers) {
    assertEquals(pointers, pointers(cells));
  }

  @Test
  void theFiguresOfAShapeAreTold() {
    Problem problem = problems("{'cell':'Dense','inChannels':7,'outChannels':10}").getFirst();
    assertTrue(problem.expected().startsWith("Dense: "), problem::message);
    assertTrue(problem.got().contains("32"), problem::message);
  }

  @Test
  void networksAreBoundedInCellsInAll() {
    String many =
        "{'cell':'Sequential','cells':[" + "{'cell':'ReLU'},".repeat(253) + "{'cell':'ReLU'}]},";
    assertEquals("", pointers("{'cell':'ReLU'},".repeat(253) + DENSE));
    assertEquals("/network", pointers("{'cell':'ReLU'},".repeat(255) + DENSE));
    assertEquals("/network", pointers(many + DENSE));
  }

  @Test
  void theNetworkIsWhatJavaBuilds() {
    JobSpecification job =
        JobSpecification.ofJson(
            """
            {"network": [
              {"cell": "Conv2d", "inChannels": 1, "outChannels": 4, "kernelSize": 3, "padding": "same", "hasBias": false},
              {"cell": "BatchNorm2d", "numFeatures": 4},
              {"cell": "Residual", "branch": [
                {"cell": "Conv2d", "inChannels": 4, "outChannels": 4, "kernelSize": [3, 3], "padding": 1},
                {"cell": "GELU"}]},
              {"cell": "GlobalAvgPool2d"},
              {"cell": "Dense", "inChannels": 4, "outChannels": 10}],
             "dataset": {"config": {"shape": [1, 28, 28]}}}
            """);
    Assembly parts = new Assembly(job.resolved());
    Cell network = parts.network().build();
    assertEquals(4 * 9 + 8 + 4 * 4 * 9 + 4 + 50, parts.network().parameters());
    assertEquals(
        "/,/0,/1,/2,/2/branch,/2/branch/0,/2/branch/1,/3,/4",
        network.paths().values().stream().map(p -> p.text()).collect(Collectors.joining(",")));
    assertEquals(job.resolved(), JobSpecification.ofJson(job.resolved().json()));
  }
}
