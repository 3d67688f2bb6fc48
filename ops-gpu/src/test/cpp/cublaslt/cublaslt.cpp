// libcublasLt.so.13 for machines without a GPU: the calls that HalfCell makes, on the emulated driver.
//
// Signatures, numbers and sizes of attributes: cublasLt.h of cuBLAS 13.1. Products are added up in
// double, in the stream's order. What the real library would refuse, or compute wrongly without a
// word, is refused, and the first complaint is kept in words.
#include <set>

#include "library_calls.h"

namespace {

enum : Status {
  OK = 0,
  NOT_INITIALIZED = 1,
  INVALID_VALUE = 7,
  EXECUTION_FAILED = 13,
  NOT_SUPPORTED = 15,
};

enum Type { FP32 = 0, FP16 = 2, BF16 = 14 };

constexpr int COMPUTE_32F = 68;
constexpr uint64_t MAGIC = 0x68616c6663656c6c;

// What the attributes of an object are set to, by their numbers.
using Attributes = std::map<int, int64_t>;

struct Object {
  const std::map<int, size_t>* sizes;  // of the attributes that may be set
  Attributes values;
};

const std::map<int, size_t> OPERATION{{0, 4}, {1, 4}, {3, 4}, {4, 4}, {7, 4}, {8, 8}};

constexpr int EPILOGUE = 7, BIAS_POINTER = 8, NO_EPILOGUE = 1, RELU = 2, ADD_BIAS = 4;
const std::map<int, size_t> LAYOUT{{0, 4}, {1, 4}, {2, 8}, {3, 8}, {4, 8}, {5, 4}, {6, 8}};
const std::map<int, size_t> PREFERENCE{{1, 8}, {3, 4}, {5, 4}, {6, 4}, {7, 4}, {8, 4}};

enum LayoutAttribute { TYPE = 0, ORDER = 1, ROWS = 2, COLUMNS = 3, LEADING = 4, COUNT = 5, STRIDE = 6 };

struct Algorithm {
  uint64_t magic, workspace, alignment, rest[5];
};

struct Offer {
  Algorithm algorithm;
  size_t workspace;
  Status state;
  float waves;
  int reserved[4];
};
static_assert(sizeof(Algorithm) == 64 && sizeof(Offer) == 96);

std::set<Object*> objects;

Object* known(void* object, const std::map<int, size_t>& kind) {
  auto* found = static_cast<Object*>(object);
  return objects.count(found) != 0 && found->sizes == &kind ? found : nullptr;
}

Status make(void** made, const std::map<int, size_t>& kind, Attributes values) {
  auto* object = new Object{&kind, std::move(values)};
  objects.insert(object);
  *made = object;
  return OK;
}

Status end(void* object, const std::map<int, size_t>& kind) {
  Object* found = known(object, kind);
  if (found == nullptr) return complain(INVALID_VALUE, "what was never made is destroyed");
  objects.erase(found);
  delete found;
  return OK;
}

Status set(void* object, const std::map<int, size_t>& kind, int attribute, const void* value, size_t bytes) {
  Object* found = known(object, kind);
  if (found == nullptr) return complain(INVALID_VALUE, "an attribute of what was never made");
  auto size = kind.find(attribute);
  if (size == kind.end() || size->second != bytes) {
    return complain(INVALID_VALUE, "attribute " + std::to_string(attribute) + " of " +
                                       std::to_string(bytes) + " bytes");
  }
  int64_t wide = 0;
  if (bytes == 4) {
    int32_t narrow;
    std::memcpy(&narrow, value, bytes);
    wide = narrow;
  } else {
    std::memcpy(&wide, value, bytes);
  }
  found->values[attribute] = wide;
  return OK;
}

Kind kind(int64_t type) { return type == FP32 ? Kind::FP32 : type == FP16 ? Kind::FP16 : Kind::BF16; }

// A matrix as the library sees it: where row r, column c of op(it) lies, in elements.
struct Matrix {
  int64_t type, rows, columns, leading, count, stride;
  bool by_rows, transposed;

  Matrix(const Attributes& of, int64_t operation)
      : type(of.at(TYPE)),
        rows(of.at(ROWS)),
        columns(of.at(COLUMNS)),
        leading(of.at(LEADING)),
        count(of.at(COUNT)),
        stride(of.at(STRIDE)),
        by_rows(of.at(ORDER) == 1),
        transposed(operation == 1) {}

  int64_t height() const { return transposed ? columns : rows; }
  int64_t width() const { return transposed ? rows : columns; }

  int64_t at(int64_t batch, int64_t r, int64_t c) const {
    if (transposed) std::swap(r, c);
    return batch * stride + (by_rows ? r * leading + c : c * leading + r);
  }

  // From the first element to behind the last.
  int64_t extent() const {
    return at(count - 1, transposed ? columns - 1 : rows - 1, transposed ? rows - 1 : columns - 1) + 1;
  }

  bool sound() const {
    bool typed = type == FP32 || type == FP16 || type == BF16;
    return typed && rows > 0 && columns > 0 && leading >= (by_rows ? columns : rows) && count > 0;
  }
};

struct Problem {
  Matrix a, b, d;
  bool biased, relu;

  Problem(const Object& operation, const Object& a, const Object& b, const Object& d)
      : a(a.values, operation.values.at(3)),
        b(b.values, operation.values.at(4)),
        d(d.values, 0),
        biased((operation.values.at(EPILOGUE) & ADD_BIAS) != 0),
        relu((operation.values.at(EPILOGUE) & RELU) != 0) {}

  std::string wrong() const {
    if (!a.sound() || !b.sound() || !d.sound()) return "a layout that cannot be";
    if (a.height() != d.rows || b.width() != d.columns || a.width() != b.height()) {
      return "matrices that do not fit";
    }
    if (a.count != d.count || b.count != d.count) return "batches that differ";
    if (d.count > 1 && d.stride < d.rows * d.columns) return "results that overlap";
    if (biased && d.count != 1) return "a bias of many products";
    if (a.type != b.type || (d.type != a.type && d.type != FP32)) return "types that do not go together";
    return "";
  }
};

// The real library takes the size of a kernel's reach into account; here every longer sum has a workspace.
uint64_t workspace(const Problem& problem) { return problem.a.width() > 16 ? 1000 : 0; }

std::string wrong(const Problem& problem, const Attributes& preference) {
  int64_t reductions = preference.at(3);
  if (problem.d.type != FP32 && (reductions & ~int64_t{2}) != 0) {
    return "partial sums that are rounded to half";
  }
  for (int matrix = 5; matrix <= 8; matrix++) {
    if (preference.at(matrix) != 64) return "an alignment that plans do not keep";
  }
  return "";
}

// The bias has a number for each row of D, of D's type.
void multiply(const Problem& p, uint64_t a, uint64_t b, uint64_t bias, uint64_t d) {
  for (int64_t batch = 0; batch < p.d.count; batch++) {
    for (int64_t r = 0; r < p.d.rows; r++) {
      for (int64_t c = 0; c < p.d.columns; c++) {
        double sum = 0;
        for (int64_t i = 0; i < p.a.width(); i++) {
          sum += load(kind(p.a.type), a, p.a.at(batch, r, i)) * load(kind(p.b.type), b, p.b.at(batch, i, c));
        }
        if (p.biased) sum += load(kind(p.d.type), bias, r);
        if (p.relu && sum < 0) sum = 0;
        store(kind(p.d.type), d, p.d.at(batch, r, c), sum);
      }
    }
  }
}

bool reachable(const Matrix& matrix, uint64_t memory, uint64_t alignment) {
  return memory % alignment == 0 && rig_allocated(memory, matrix.extent() * size_of(kind(matrix.type)));
}

}  // namespace

extern "C" {

// --- what tests ask of the library itself

// How many descriptors there are.
uint64_t rig_library_objects() {
  std::lock_guard<std::recursive_mutex> held(lock);
  return objects.size();
}

// --- the library

size_t cublasLtGetVersion() { return 130101; }

const char* cublasLtGetStatusName(Status status) {
  switch (status) {
    case NOT_INITIALIZED:
      return "CUBLAS_STATUS_NOT_INITIALIZED";
    case INVALID_VALUE:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case EXECUTION_FAILED:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
    case NOT_SUPPORTED:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
    default:
      return "another status";
  }
}

Status cublasLtCreate(void** handle) {
  ENTER();
  static const std::map<int, size_t> nothing;
  return make(handle, nothing, {});
}

Status cublasLtDestroy(void* handle) {
  ENTER();
  auto* object = static_cast<Object*>(handle);
  if (objects.erase(object) == 0) return NOT_INITIALIZED;
  delete object;
  return OK;
}

Status cublasLtMatmulDescCreate(void** operation, int compute, int scale) {
  ENTER();
  if (compute != COMPUTE_32F || scale != FP32) return complain(INVALID_VALUE, "sums not in FP32");
  return make(operation, OPERATION, {{0, compute}, {1, scale}, {3, 0}, {4, 0}, {EPILOGUE, NO_EPILOGUE}, {BIAS_POINTER, 0}});
}

Status cublasLtMatmulDescDestroy(void* operation) {
  ENTER();
  return end(operation, OPERATION);
}

Status cublasLtMatmulDescSetAttribute(void* operation, int attribute, const void* value, size_t bytes) {
  ENTER();
  return set(operation, OPERATION, attribute, value, bytes);
}

Status cublasLtMatrixLayoutCreate(void** layout, int type, uint64_t rows, uint64_t columns, int64_t leading) {
  ENTER();
  return make(layout, LAYOUT,
              {{TYPE, type},
               {ORDER, 0},
               {ROWS, static_cast<int64_t>(rows)},
               {COLUMNS, static_cast<int64_t>(columns)},
               {LEADING, leading},
               {COUNT, 1},
               {STRIDE, 0}});
}

Status cublasLtMatrixLayoutDestroy(void* layout) {
  ENTER();
  return end(layout, LAYOUT);
}

Status cublasLtMatrixLayoutSetAttribute(void* layout, int attribute, const void* value, size_t bytes) {
  ENTER();
  return set(layout, LAYOUT, attribute, value, bytes);
}

Status cublasLtMatmulPreferenceCreate(void** preference) {
  ENTER();
  return make(preference, PREFERENCE, {{1, 0}, {3, 7}, {5, 256}, {6, 256}, {7, 256}, {8, 256}});
}

Status cublasLtMatmulPreferenceDestroy(void* preference) {
  ENTER();
  return end(preference, PREFERENCE);
}

Status cublasLtMatmulPreferenceSetAttribute(void* preference, int attribute, const void* value, size_t bytes) {
  ENTER();
  return set(preference, PREFERENCE, attribute, value, bytes);
}

Status cublasLtMatmulAlgoGetHeuristic(void* handle, void* operation, void* a, void* b, void* c, void* d,
                                      void* preference, int most, Offer* offers, int* count) {
  ENTER();
  *count = 0;
  Object* described = known(operation, OPERATION);
  Object* first = known(a, LAYOUT);
  Object* second = known(b, LAYOUT);
  Object* result = known(d, LAYOUT);
  Object* preferred = known(preference, PREFERENCE);
  bool all = described != nullptr && first != nullptr && second != nullptr && result != nullptr &&
             preferred != nullptr && c == d && objects.count(static_cast<Object*>(handle)) != 0;
  if (!all || most < 1) return complain(INVALID_VALUE, "descriptors of other things");
  Problem problem(*described, *first, *second, *result);
  std::string found = problem.wrong();
  if (found.empty()) found = wrong(problem, preferred->values);
  if (!found.empty()) return complain(INVALID_VALUE, found);
  uint64_t bytes = workspace(problem);
  if (bytes > static_cast<uint64_t>(preferred->values.at(1))) return NOT_SUPPORTED;
  offers[0] = {{MAGIC, bytes, static_cast<uint64_t>(preferred->values.at(5)), {}}, bytes, OK, 1, {}};
  *count = 1;
  return OK;
}

#ifndef WITHOUT_PRODUCTS
Status cublasLtMatmul(void* handle, void* operation, const float* alpha, uint64_t a, void* a_layout,
                      uint64_t b, void* b_layout, const float* beta, uint64_t c, void* c_layout,
                      uint64_t d, void* d_layout, const Algorithm* algorithm, uint64_t space,
                      size_t space_bytes, void* stream) {
  ENTER();
  Object* described = known(operation, OPERATION);
  Object* first = known(a_layout, LAYOUT);
  Object* second = known(b_layout, LAYOUT);
  Object* result = known(d_layout, LAYOUT);
  bool all = described != nullptr && first != nullptr && second != nullptr && result != nullptr &&
             objects.count(static_cast<Object*>(handle)) != 0;
  if (!all || c != d || c_layout != d_layout) return complain(INVALID_VALUE, "descriptors of other things");
  if (*alpha != 1 || *beta != 0) return complain(INVALID_VALUE, "a product that is scaled");
  if (algorithm->magic != MAGIC) return complain(INVALID_VALUE, "an algorithm that was not offered");
  Problem problem(*described, *first, *second, *result);
  bool there = reachable(problem.a, a, algorithm->alignment) &&
               reachable(problem.b, b, algorithm->alignment) &&
               reachable(problem.d, d, algorithm->alignment);
  if (!there) return complain(INVALID_VALUE, "matrices that are not there");
  bool room = space_bytes >= algorithm->workspace && space % 256 == 0 && rig_allocated(space, space_bytes);
  if (algorithm->workspace > 0 && !room) return complain(INVALID_VALUE, "too little workspace");
  uint64_t bias = described->values.at(BIAS_POINTER);
  bool added = !problem.biased || rig_allocated(bias, problem.d.rows * size_of(kind(problem.d.type)));
  if (!added) return complain(INVALID_VALUE, "a bias that is not there");
  uint64_t used = algorithm->workspace;
  rig::Work work = [=] {
    std::memset(reinterpret_cast<void*>(space), 0xee, used);
    multiply(problem, a, b, bias, d);
    return 0;
  };
  return rig_queue(stream, &work) == 0 ? OK : complain(EXECUTION_FAILED, "a stream that is none");
}
#endif

}  // extern "C"
