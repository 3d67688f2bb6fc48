package dev.halfcell.cpu.onednn;

import java.util.ArrayList;
import java.util.List;

/**
 * The instruction sets that oneDNN uses here, as the bits of its {@code dnnl_cpu_isa_t}. The
 * environment variable {@code ONEDNN_MAX_CPU_ISA} limits them.
 */
public record Isa(int bits) {
  private static final int AVX2 = 0x7;
  private static final int AVX2_VNNI_2 = 0x1f;
  private static final int AVX512 = 0x27;
  private static final int AVX512_BF16 = 0xe7;
  private static final int AVX512_FP16 = 0x1ef;
  private static final int AVX512_AMX = 0xfef;
  private static final int AVX512_AMX_FP16 = 0x1fef;

  /** Whether there are instructions for products of BF16; elsewhere oneDNN may emulate them. */
  public boolean bf16() {
    return has(AVX512_BF16) || has(AVX2_VNNI_2);
  }

  /** Whether there are instructions for products of FP16. */
  public boolean fp16() {
    return has(AVX512_FP16) || has(AVX2_VNNI_2);
  }

  /** Whether there are tiles, in which halves are multiplied. */
  public boolean tiles() {
    return has(AVX512_AMX);
  }

  private boolean has(int isa) {
    return (bits & isa) == isa;
  }

  @Override
  public String toString() {
    List<String> names = new ArrayList<>();
    add(names, AVX2, "avx2");
    add(names, AVX2_VNNI_2, "avx2_vnni_2");
    add(names, AVX512, "avx512_core");
    add(names, AVX512_BF16, "avx512_core_bf16");
    add(names, AVX512_FP16, "avx512_core_fp16");
    add(names, AVX512_AMX, "avx512_core_amx");
    add(names, AVX512_AMX_FP16, "avx512_core_amx_fp16");
    return names.isEmpty() ? "none of avx2 and above" : String.join(", ", names);
  }

  private void add(List<String> names, int isa, String name) {
    if (has(isa)) {
      names.add(name);
    }
  }
}
