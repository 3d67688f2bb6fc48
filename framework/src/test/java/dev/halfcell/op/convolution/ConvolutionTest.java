package dev.halfcell.op.convolution;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ConvolutionTest {
  @Test
  void onlyWhatIsPaddedMeetsPadding() {
    assertFalse(new Conv2d(Conv2dGeometry.square(2, 0)).meetsPadding());
    assertTrue(new Conv2d(Conv2dGeometry.square(2, 1)).meetsPadding());
  }
}
