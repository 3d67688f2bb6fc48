// Matrix products and convolutions whose running sums are rounded after each product: see
// WithPartials. One thread adds up one element of the result, in the order of the indices.
#include "convert.cuh"
#include "convolution.cuh"
#include "view.cuh"

// What sums are kept in, and in what the result leaves: see PartialsKernels.
constexpr int IN_FP16 = 0;
constexpr int IN_BF16 = 1;
constexpr int IN_FP32 = 2;

// The sum and one product more: exact in double, and rounded from there, as on the reference backend.
template <class S, class T>
__device__ __forceinline__ void add_product(S& sum, T a, T b) {
  double product = static_cast<double>(wide(a)) * static_cast<double>(wide(b));
  nearest(static_cast<double>(wide(sum)) + product, sum);
}

template <class T>
__device__ __forceinline__ void add_product(double& sum, T a, T b) {
  sum += static_cast<double>(wide(a)) * static_cast<double>(wide(b));
}

#ifdef __CUDACC__
// One instruction, which rounds once.
__device__ __forceinline__ void add_product(fp16& sum, fp16 a, fp16 b) { sum = __hfma(a, b, sum); }
#endif

__device__ __forceinline__ double exactly(double v) { return v; }
template <class S>
__device__ __forceinline__ double exactly(S v) {
  return static_cast<double>(wide(v));
}

template <class S>
__device__ __forceinline__ void add(S& sum, double v) {
  nearest(exactly(sum) + v, sum);
}
__device__ __forceinline__ void add(double& sum, double v) { sum += v; }

// Has `products` call add(a, b) for each product, adds the bias, and stores the sum.
template <class S, class T, class P>
__device__ __forceinline__ void added_in(const P& products, const T* bias, int widens, void* y,
                                         long long i) {
  S sum{};
  products([&](T a, T b) { add_product(sum, a, b); });
  if (bias != nullptr) add(sum, exactly(*bias));
  if (widens != 0) {
    nearest(exactly(sum), static_cast<float*>(y)[i]);
  } else {
    nearest(exactly(sum), static_cast<T*>(y)[i]);
  }
}

template <class T, class P>
__device__ __forceinline__ void added(int kept, const P& products, const T* bias, int widens,
                                      void* y, long long i) {
  switch (kept) {
    case IN_FP16: return added_in<fp16>(products, bias, widens, y, i);
    case IN_BF16: return added_in<bf16>(products, bias, widens, y, i);
    case IN_FP32: return added_in<float>(products, bias, widens, y, i);
    default: return added_in<double>(products, bias, widens, y, i);
  }
}

// y [m, n] = a [m, k] . b [k, n] for each of a batch; a step down or to the right is so many
// elements.
struct PartialProduct {
  long long m, n, k, matrices;
  long long down_a, right_a, down_b, right_b;
};

template <class T>
__device__ __forceinline__ void product(const T* a, const T* b, const T* bias, void* y, int kept,
                                        int widens, const PartialProduct& of, const View& of_a,
                                        const View& of_b) {
  long long i = here();
  if (i >= of.m * of.n * of.matrices) return;
  long long column = i % of.n;
  long long row = i / of.n % of.m;
  long long matrix = i / of.n / of.m;
  a += place(of_a, matrix) * of.m * of.k + row * of.down_a;
  b += place(of_b, matrix) * of.k * of.n + column * of.right_b;
  auto products = [&](const auto& add) {
    for (long long inner = 0; inner < of.k; inner++) {
      add(a[inner * of.right_a], b[inner * of.down_b]);
    }
  };
  added<T>(kept, products, bias != nullptr ? bias + column : nullptr, widens, y, i);
}

template <class T>
__device__ __forceinline__ void convolution(const T* x, const T* weight, const T* bias, void* y,
                                            int kept, int widens, const Convolution& of) {
  long long i = here();
  Element to;
  if (!element_at(of, i, to)) return;
  auto products = [&](const auto& add) { each_product(of, x, weight, to, add); };
  added<T>(kept, products, bias != nullptr ? bias + to.channel : nullptr, widens, y, i);
}

template <class T>
__device__ __forceinline__ void weight_gradient(const T* d, const T* x, void* dweight, int kept,
                                                int widens, const Convolution& of) {
  long long i = here();
  if (i >= of.groups * of.results * of.sources * of.rows.kernel * of.columns.kernel) return;
  auto products = [&](const auto& add) { each_product_of_weight(of, d, x, i, 0, 1, add); };
  added<T>(kept, products, static_cast<const T*>(nullptr), widens, dweight, i);
}

#define PARTIALS(suffix, T)                                                                      \
  extern "C" __global__ void partial_product_##suffix(                                           \
      const T* a, const T* b, const T* bias, void* y, int kept, int widens, PartialProduct of,   \
      View of_a, View of_b) {                                                                    \
    product(a, b, bias, y, kept, widens, of, of_a, of_b);                                        \
  }                                                                                              \
  KERNEL(partial_product_##suffix)                                                               \
  extern "C" __global__ void partial_convolution_##suffix(                                       \
      const T* x, const T* weight, const T* bias, void* y, int kept, int widens,                 \
      Convolution of) {                                                                          \
    convolution(x, weight, bias, y, kept, widens, of);                                           \
  }                                                                                              \
  KERNEL(partial_convolution_##suffix)                                                           \
  extern "C" __global__ void partial_weight_gradient_##suffix(                                   \
      const T* d, const T* x, void* dweight, int kept, int widens, Convolution of) {             \
    weight_gradient(d, x, dweight, kept, widens, of);                                            \
  }                                                                                              \
  KERNEL(partial_weight_gradient_##suffix)
INSTANCES(PARTIALS)
