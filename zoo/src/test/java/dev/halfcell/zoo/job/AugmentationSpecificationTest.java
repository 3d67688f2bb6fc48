package dev.halfcell.zoo.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.Problem;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is done to images, as a specification says it. */
final class AugmentationSpecificationTest {
  private static String job(String augmentations) {
    return """
        {"network": {"name": "lenet5"}, "dataset": {"config": {"augmentations": %s}}}
        """
        .formatted(augmentations);
  }

  private static List<AugmentationSpecification> read(String augmentations) {
    return JobSpecification.ofJson(job(augmentations))
        .resolved()
        .dataset()
        .config()
        .augmentations();
  }

  @Test
  void theyAreReadInTheirOrderWithTheirDefaults() {
    assertEquals(
        List.of(
            new AugmentationSpecification.CutOut(8, 1, 0),
            new AugmentationSpecification.RandomHorizontalFlip(0.5),
            new AugmentationSpecification.RandomCrop(4, -1),
            new AugmentationSpecification.Normalize(List.of(0.5), List.of(0.25)),
            new AugmentationSpecification.RandomHorizontalFlip(0.1)),
        read(
            """
            [{"augmentation": "CutOut", "length": 8}, "RandomHorizontalFlip",
             {"augmentation": "RandomCrop", "padding": 4, "fill": -1},
             {"augmentation": "Normalize", "mean": 0.5, "deviation": [0.25]},
             {"augmentation": "RandomHorizontalFlip", "probability": 0.1}]
            """));
    assertEquals(List.of(), read("[]"));
  }

  @Test
  void theyAreWrittenAsTheyAreRead() {
    JobSpecification job =
        JobSpecification.ofJson(
                job(
                    "[{\"augmentation\": \"RandomCrop\", \"padding\": 4}, \"RandomHorizontalFlip\"]"))
            .resolved();
    assertEquals(job, JobSpecification.ofJson(job.json()));
    assertEquals("4", job.said().get("/dataset/config/augmentations/0/padding"));
  }

  @Test
  void aCellWithoutArgumentsIsItsNameToo() {
    JobSpecification job = JobSpecification.ofJson("{\"network\": [\"ReLU\", \"Flatten\"]}");
    List<CellSpecification> cells = job.network().orElseThrow().cells();
    assertInstanceOf(ElementwiseCell.ReLU.class, cells.getFirst());
    List<Problem> problems = JobSpecification.problems("{\"network\": [\"Relu\", \"Dense\", 3]}");
    assertEquals(
        List.of("/network/0/cell", "/network/1/inChannels", "/network/1/outChannels", "/network/2"),
        problems.stream().map(Problem::where).toList());
    assertEquals("Did you mean ReLU?", problems.getFirst().fix());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[{`augmentation`: `RandomCrop`}]| /0/padding| a whole number",
        "[`RandomCrop`]| /0/padding| a whole number",
        "[`RandomFlip`]| /0/augmentation| one of RandomCrop",
        "[{`augmentation`: `RandomCrop`, `padding`: 4, `size`: 32}]| /0/size| padding, fill",
        "[{`augmentation`: `RandomCrop`, `padding`: 32}]| /0| less than the 32 pixels",
        "[{`augmentation`: `CutOut`, `length`: 65}]| /0| at most twice the shorter side",
        "[{`augmentation`: `CutOut`, `length`: 0}]| /0/length| from 1",
        "[{`augmentation`: `CutOut`, `length`: 3, `fill`: 1e39}]| /0| a finite number",
        "[{`augmentation`: `RandomHorizontalFlip`, `probability`: 1.5}]| /0/probability| to 1",
        "[{`augmentation`: `Normalize`, `mean`: [0, 0], `deviation`: [1, 1]}]| /0| 1 number or 1",
        "[{`augmentation`: `Normalize`, `mean`: 0, `deviation`: 0}]| /0| above 0",
        "[{`augmentation`: `Normalize`, `mean`: 0}]| /0/deviation| a list of 1 to 4096",
        "[`RandomHorizontalFlip`, 7]| /1| an object",
        "{`augmentation`: `RandomHorizontalFlip`}| ``| a list",
      })
  void whatDoesNotFitIsToldByItsPointer(String json, String at, String expected) {
    List<Problem> problems = JobSpecification.problems(job(json.replace('`', '"')));
    assertEquals(1, problems.size(), problems::toString);
    Problem problem = problems.getFirst();
    String pointer = "/dataset/config/augmentations" + (at == null ? "" : at);
    assertEquals(pointer, problem.where(), problem::message);
    assertTrue(problem.expected().contains(expected), problem::message);
  }
}
