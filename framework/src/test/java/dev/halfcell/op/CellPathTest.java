package dev.halfcell.op;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CellPathTest {
  @Test
  void childrenStandBelowTheirParent() {
    CellPath layer = CellPath.ROOT.child("layer");
    assertEquals("/layer", layer.text());
    assertEquals("/layer/weight", layer.child("weight").toString());
  }

  @Test
  void pathsAreInTheOrderOfTheirText() {
    assertTrue(new CellPath("/a").compareTo(new CellPath("/b")) < 0);
    assertEquals(0, new CellPath("/a").compareTo(new CellPath("/a")));
  }

  @Test
  void aPatternSaysItself() {
    assertEquals("/a/**", new PathPattern("/a/**").toString());
  }
}
