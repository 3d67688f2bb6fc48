package dev.halfcell.zoo.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class CpuTest {
  private static final String TWO_PROCESSORS =
      """
      processor\t: 0
      model name\t: AMD EPYC 7B13
      flags\t\t: fpu avx2 f16c
      vmx flags\t: avx512f

      processor\t: 1
      model name\t: another
      flags\t\t: fpu
      """;

  @Test
  void readsTheFirstProcessor() {
    Cpu cpu = Cpu.parse(TWO_PROCESSORS);
    assertEquals("AMD EPYC 7B13", cpu.name());
    assertTrue(cpu.has("avx2"));
    assertTrue(cpu.has("f16c"));
    assertFalse(cpu.has("avx512f"));
    assertFalse(cpu.has("avx"));
  }

  @Test
  void aProcessorThatSaysNothingIsNamedByItsArchitecture() {
    Cpu cpu = Cpu.parse("processor : 0\n");
    assertEquals(System.getProperty("os.arch"), cpu.name());
    assertFalse(cpu.has("avx2"));
  }
}
