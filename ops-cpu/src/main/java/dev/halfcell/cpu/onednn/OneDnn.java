package dev.halfcell.cpu.onednn;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The opened library: its engine and stream, and how tensors are described to it. Each primitive
 * runs on the thread that calls it and on no other: parallel work is shared out by {@code Team}.
 * Threads may share it.
 */
public final class OneDnn implements AutoCloseable {
  private static final int MAXIMUM_RANK = 12;
  private static final int ENGINE_OF_CPU = 1;
  private static final int STREAM_IN_ORDER = 1;
  private static final int SCRATCHPAD_BY_USER = 1;
  private static final int TAG_ANY = 1;
  private static final int DTYPE_OF_RESULT = 0;
  private static final int QUERY_IMPLEMENTATION = 8;

  private final Handles handles = new Handles();
  private final AtomicLong live = new AtomicLong();
  private final Functions functions;
  private final MethodHandle execute;
  private final MethodHandle place;
  private final MethodHandle limitThreads;
  private final long engine;
  private final long stream;
  private final long attributes;
  private final long adding;

  private OneDnn(NativeFiles files) {
    // First, so that the library finds this very file.
    Functions openmp = new Functions(files.openmp());
    limitThreads = openmp.handle('V', "omp_set_num_threads", "I");
    functions = new Functions(files.onednn());
    execute = functions.handle('I', "dnnl_primitive_execute", "PPIP");
    place = functions.handle('I', "dnnl_memory_set_data_handle", "PP");
    enterThread();
    engine = functions.create("dnnl_engine_create", "IP", ENGINE_OF_CPU, 0L);
    handles.add(() -> functions.call("dnnl_engine_destroy", "P", engine));
    stream = functions.create("dnnl_stream_create", "PI", engine, STREAM_IN_ORDER);
    handles.add(() -> functions.call("dnnl_stream_destroy", "P", stream));
    attributes = attributesOfPrimitives();
    adding = attributesOfPrimitives();
    addResults();
  }

  private long attributesOfPrimitives() {
    long made = functions.create("dnnl_primitive_attr_create", "");
    handles.add(() -> functions.call("dnnl_primitive_attr_destroy", "P", made));
    functions.call("dnnl_primitive_attr_set_scratchpad_mode", "PI", made, SCRATCHPAD_BY_USER);
    return made;
  }

  private void addResults() {
    long operations = functions.create("dnnl_post_ops_create", "");
    functions.call("dnnl_post_ops_append_sum", "PFII", operations, 1f, 0, DTYPE_OF_RESULT);
    functions.call("dnnl_primitive_attr_set_post_ops", "PP", adding, operations);
    functions.call("dnnl_post_ops_destroy", "P", operations);
  }

  /**
   * Unpacks and opens the library.
   *
   * @throws NativeLibraryException naming what is missing
   */
  public static OneDnn open() {
    return new OneDnn(NativeFiles.unpack());
  }

  /** Keeps the primitives that the calling thread makes and runs on this thread. */
  public void enterThread() {
    try {
      limitThreads.invokeExact(1);
    } catch (Throwable e) {
      throw Functions.thrown("omp_set_num_threads", e);
    }
  }

  /** The library's version: {@code 3.11.0}. */
  public String version() {
    MemorySegment version =
        MemorySegment.ofAddress(functions.number("dnnl_version", "")).reinterpret(12);
    int[] parts = version.toArray(JAVA_INT);
    return parts[0] + "." + parts[1] + "." + parts[2];
  }

  /** The instruction sets that it uses. */
  public Isa isa() {
    return new Isa(functions.status("dnnl_get_effective_cpu_isa", ""));
  }

  Functions functions() {
    return functions;
  }

  long engine() {
    return engine;
  }

  /** Attributes of a primitive: scratch memory is passed to it. */
  long attributes() {
    return attributes;
  }

  /** The same for one that adds its result to what is there. */
  long adding() {
    return adding;
  }

  void execute(long primitive, int count, long arguments) {
    int status;
    try {
      status = (int) execute.invokeExact(primitive, stream, count, arguments);
    } catch (Throwable e) {
      throw Functions.thrown("dnnl_primitive_execute", e);
    }
    Functions.require("dnnl_primitive_execute", status);
  }

  void place(long memory, long address) {
    int status;
    try {
      status = (int) place.invokeExact(memory, address);
    } catch (Throwable e) {
      throw Functions.thrown("dnnl_memory_set_data_handle", e);
    }
    Functions.require("dnnl_memory_set_data_handle", status);
  }

  /** A layout with explicit steps, in elements. */
  public Descriptor strided(Handles owner, DType dtype, long[] sizes, long[] strides) {
    try (Arena local = Arena.ofConfined()) {
      return described(
          owner,
          functions.create(
              "dnnl_memory_desc_create_with_strides",
              "IPIP",
              sizes.length,
              numbers(local, sizes),
              code(dtype),
              numbers(local, strides)));
    }
  }

  /** A dense layout, the last axis fastest. */
  public Descriptor dense(Handles owner, DType dtype, long... sizes) {
    long[] strides = new long[sizes.length];
    long stride = 1;
    for (int axis = sizes.length - 1; axis >= 0; axis--) {
      strides[axis] = stride;
      stride *= sizes[axis];
    }
    return strided(owner, dtype, sizes, strides);
  }

  /** A layout that the primitive is to choose. */
  public Descriptor any(Handles owner, DType dtype, long... sizes) {
    try (Arena local = Arena.ofConfined()) {
      return described(
          owner,
          functions.create(
              "dnnl_memory_desc_create_with_tag",
              "IPII",
              sizes.length,
              numbers(local, sizes),
              code(dtype),
              TAG_ANY));
    }
  }

  private Descriptor described(Handles owner, long handle) {
    own(owner, "dnnl_memory_desc_destroy", handle);
    return measured(handle);
  }

  /** Has {@code owner} destroy a native object by this function of the library. */
  void own(Handles owner, String destructor, long handle) {
    live.incrementAndGet();
    owner.add(
        () -> {
          functions.call(destructor, "P", handle);
          live.decrementAndGet();
        });
  }

  /** How many native objects of kernels there are, to find those that nobody destroys. */
  public long live() {
    return live.get();
  }

  private Descriptor measured(long handle) {
    return new Descriptor(
        handle, handle == 0 ? 0 : functions.number("dnnl_memory_desc_get_size", "P", handle));
  }

  /** Whether two descriptors say the same. */
  public boolean same(Descriptor a, Descriptor b) {
    return functions.status("dnnl_memory_desc_equal", "PP", a.handle(), b.handle()) == 1;
  }

  /** One of the layouts that a recipe settled on; it lives as long as the recipe. */
  public Descriptor chosen(Recipe recipe, Chosen which) {
    return measured(
        functions.number(
            "dnnl_primitive_desc_query_md", "PII", recipe.handle(), which.code, which.index));
  }

  /** The layouts that a recipe can be asked for: {@code dnnl_query_..._md}. */
  public enum Chosen {
    SRC(129),
    DIFF_SRC(130),
    WEIGHTS(131),
    DIFF_WEIGHTS(132),
    DST(133),
    DIFF_DST(134),
    SCRATCHPAD(136);

    private final int code;
    private final int index = 0;

    Chosen(int code) {
      this.code = code;
    }
  }

  /** A recipe that was made by this function of the library. */
  Recipe recipe(Handles owner, String function, String signature, Object... arguments) {
    long handle = functions.create(function, signature, arguments);
    own(owner, "dnnl_primitive_desc_destroy", handle);
    return new Recipe(handle, implementation(handle));
  }

  /**
   * The same as {@code first}, which these arguments made, by the next of the library's kernels for
   * it that is older and uses the same instructions; {@code first} where there is none.
   */
  Recipe older(
      Handles owner, Recipe first, String function, String signature, Object... arguments) {
    if (!first.newer()) {
      return first;
    }
    long handle = functions.create(function, signature, arguments);
    own(owner, "dnnl_primitive_desc_destroy", handle);
    while (functions.status("dnnl_primitive_desc_next_impl", "P", handle) == Functions.SUCCESS) {
      Recipe next = new Recipe(handle, implementation(handle));
      if (next.replaces(first)) {
        return next;
      }
    }
    return first;
  }

  private String implementation(long recipe) {
    try (Arena local = Arena.ofConfined()) {
      MemorySegment name = local.allocate(JAVA_LONG);
      functions.call(
          "dnnl_primitive_desc_query", "PIIP", recipe, QUERY_IMPLEMENTATION, 0, name.address());
      return MemorySegment.ofAddress(name.get(JAVA_LONG, 0)).reinterpret(256).getString(0);
    }
  }

  /** The address of an array that the library reads during a call. */
  static long numbers(Arena arena, long... values) {
    return arena.allocateFrom(JAVA_LONG, Arrays.copyOf(values, MAXIMUM_RANK)).address();
  }

  private static int code(DType dtype) {
    return switch (dtype) {
      case FP16 -> 1;
      case BF16 -> 2;
      case FP32 -> 3;
      case INT32 -> 4;
      case UINT8, BOOL -> 6;
      case FP64, INT64 ->
          throw new UnsupportedException(
              new Problem(
                  "cpu",
                  "",
                  "fp32, fp16 or bf16",
                  dtype.label(),
                  "FP64 is for checks on the reference backend."));
    };
  }

  /** Gives back the engine. No primitive may run afterwards. */
  @Override
  public void close() {
    handles.close();
  }
}
