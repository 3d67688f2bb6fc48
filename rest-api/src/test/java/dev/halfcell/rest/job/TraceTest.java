package dev.halfcell.rest.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Traces as W3C has them. */
final class TraceTest {
  private static final String ID = "0af7651916cd43dd8448eb211c80319c";
  private static final String SPAN = "b7ad6b7169203331";

  private static Trace behind(String header) {
    return Trace.behind(Optional.of(header), new Random(1));
  }

  @Test
  void aTraceThatIsNamedGoesOnInAPartOfItsOwn() {
    Trace trace = behind("00-" + ID + "-" + SPAN + "-00");
    assertEquals(ID, trace.id());
    assertNotEquals(SPAN, trace.span());
    assertTrue(trace.header().matches("00-" + ID + "-[0-9a-f]{16}-00"), trace.header());
    assertEquals(ID, behind("cc-" + ID + "-" + SPAN + "-01-what.comes").id());
  }

  @Test
  void whatIsNoTraceIsNotBelieved() {
    for (String odd :
        List.of(
            "",
            "00",
            ID,
            "ff-" + ID + "-" + SPAN + "-01",
            "00-" + ID + "-" + SPAN + "-01-more",
            "00-" + ID.toUpperCase(java.util.Locale.ROOT) + "-" + SPAN + "-01",
            "00-" + "0".repeat(32) + "-" + SPAN + "-01",
            "00-" + ID + "-" + "0".repeat(16) + "-01",
            "00-" + ID + "x-" + SPAN + "-01",
            "00-" + ID + "-" + SPAN + "-01\nforged",
            "x".repeat(8000))) {
      Trace trace = behind(odd);
      assertNotEquals(ID, trace.id(), odd);
      assertNotEquals("0".repeat(32), trace.id(), odd);
      assertTrue(trace.header().matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01"), trace.header());
    }
  }

  @Test
  void eachRequestWithoutOneHasItsOwn() {
    Random random = new Random(2);
    assertNotEquals(
        Trace.behind(Optional.empty(), random).id(), Trace.behind(Optional.empty(), random).id());
  }
}
