package dev.halfcell.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class CpuTest {
  private static final String TEXT =
      """
      processor\t: 0
      model name\t: AMD EPYC
      flags\t\t: fpu avx avx512f avx2 avx512_bf16 avx512_vnni

      processor\t: 1
      model name\t: another
      flags\t\t: fpu amx_bf16
      """;

  @Test
  void isTheFirstOneDescribed() {
    Cpu cpu = Cpu.parse(TEXT, 2);
    assertEquals(new Cpu("AMD EPYC", 2, List.of("avx2", "avx512f", "avx512_bf16")), cpu);
    assertEquals("avx512_bf16", cpu.kind());
  }

  @Test
  void isOfAnotherKindWhereNoneOfItsFeaturesMatters() {
    assertEquals("other", Cpu.parse("model name : old\nflags : fpu\n", 1).kind());
  }
}
