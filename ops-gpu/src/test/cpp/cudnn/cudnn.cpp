// libcudnn_graph.so.9 for machines without a GPU: the calls that HalfCell makes, on the emulated driver.
//
// Signatures and numbers: cudnn_graph.h of cuDNN 9.5, whose library takes and refuses the same
// descriptors up to the heuristic without a GPU. Convolutions are added up in double, in the
// stream's order. What the real library would refuse, or compute as HalfCell must not have it, is
// refused, and the first complaint is kept in words.
#include <cstring>
#include <set>
#include <vector>

#include "library_calls.h"

namespace {

enum : Status {
  OK = 0,
  NOT_INITIALIZED = 1001,
  BAD_PARAM = 2000,
  NOT_SUPPORTED = 3000,
  EXECUTION_FAILED = 5000,
};

enum Descriptor {
  CONVOLUTION = 1,
  ENGINE = 2,
  CONFIGURATION = 3,
  HEURISTIC = 4,
  PLAN = 5,
  FORWARD = 10,
  BACKWARD_FILTER = 11,
  BACKWARD_DATA = 12,
  GRAPH = 15,
  PACK = 16,
  TENSOR = 17,
};

// Of values of attributes, and how many bytes each has.
enum Type {
  HANDLE = 0,
  DATA_TYPE = 1,
  INT64 = 3,
  FLOAT = 4,
  POINTER = 6,
  MODE = 7,
  HEURISTIC_MODE = 8,
  NOTE = 11,
  DESCRIPTOR = 15
};

size_t bytes_of(int type) {
  switch (type) {
    case DATA_TYPE:
    case FLOAT:
    case MODE:
    case HEURISTIC_MODE:
    case NOTE:
      return 4;
    default:
      return 8;
  }
}

struct Value {
  int type;
  std::vector<int64_t> numbers;
};

struct Object {
  int kind;
  std::map<int, Value> values;
  bool finished = false;
  int64_t engine = -1;  // of a configuration, an engine or a plan
};

// Which attributes a descriptor needs, and of which type.
const std::map<int, std::map<int, int>> NEEDED{
    {CONVOLUTION,
     {{100, DATA_TYPE}, {101, MODE}, {102, INT64}, {103, INT64}, {104, INT64}, {105, INT64}, {106, INT64}}},
    {ENGINE, {}},
    {CONFIGURATION, {}},
    {HEURISTIC, {{200, HEURISTIC_MODE}, {201, DESCRIPTOR}}},
    {PLAN, {{400, HANDLE}, {401, DESCRIPTOR}}},
    {FORWARD,
     {{700, FLOAT}, {701, FLOAT}, {702, DESCRIPTOR}, {703, DESCRIPTOR}, {704, DESCRIPTOR}, {705, DESCRIPTOR}}},
    {BACKWARD_DATA,
     {{706, FLOAT}, {707, FLOAT}, {708, DESCRIPTOR}, {709, DESCRIPTOR}, {710, DESCRIPTOR}, {711, DESCRIPTOR}}},
    {BACKWARD_FILTER,
     {{712, FLOAT}, {713, FLOAT}, {714, DESCRIPTOR}, {715, DESCRIPTOR}, {716, DESCRIPTOR}, {717, DESCRIPTOR}}},
    {GRAPH, {{800, HANDLE}, {801, DESCRIPTOR}}},
    {PACK, {{1000, INT64}, {1001, POINTER}, {1003, POINTER}}},
    {TENSOR, {{900, INT64}, {901, DATA_TYPE}, {902, INT64}, {903, INT64}, {906, INT64}}},
};

// Engines as the heuristic names them: only the last is to be taken, the one before cannot be planned.
constexpr int64_t CHANGING = 0, REDUCED = 1, UNPLANNED = 2, SOUND = 3, ENGINES = 4;

std::set<Object*> objects;
void* stream_of_handle = nullptr;

Object* known(int64_t address, int kind) {
  auto* found = reinterpret_cast<Object*>(address);
  return objects.count(found) != 0 && found->kind == kind ? found : nullptr;
}

Object* part(const Object& of, int attribute, int kind) {
  Object* found = known(of.values.at(attribute).numbers[0], kind);
  return found != nullptr && found->finished ? found : nullptr;
}

constexpr int HANDLE_KIND = -1;

Kind kind(int64_t type) { return type == 0 ? Kind::FP32 : type == 2 ? Kind::FP16 : Kind::BF16; }

struct Tensor {
  int64_t type, number;
  std::vector<int64_t> sizes, strides;

  explicit Tensor(const Object& of)
      : type(of.values.at(901).numbers[0]),
        number(of.values.at(906).numbers[0]),
        sizes(of.values.at(902).numbers),
        strides(of.values.at(903).numbers) {}

  int64_t at(int64_t i, int64_t j, int64_t k, int64_t l) const {
    return i * strides[0] + j * strides[1] + k * strides[2] + l * strides[3];
  }
  int64_t extent() const { return at(sizes[0] - 1, sizes[1] - 1, sizes[2] - 1, sizes[3] - 1) + 1; }
};

// An operation: its three tensors as the forward convolution has them.
struct Problem {
  int kind;
  Tensor x, weight, y;
  std::vector<int64_t> strides, dilations, before, behind;

  static Problem of(const Object& op) {
    int how = op.kind == FORWARD ? 702 : op.kind == BACKWARD_DATA ? 708 : 714;
    int x = op.kind == FORWARD ? 704 : op.kind == BACKWARD_DATA ? 710 : 716;
    int weight = op.kind == FORWARD ? 703 : op.kind == BACKWARD_DATA ? 709 : 715;
    int y = op.kind == FORWARD ? 705 : op.kind == BACKWARD_DATA ? 711 : 717;
    const Object& c = *part(op, how, CONVOLUTION);
    return Problem{op.kind,
                   Tensor(*part(op, x, TENSOR)),
                   Tensor(*part(op, weight, TENSOR)),
                   Tensor(*part(op, y, TENSOR)),
                   c.values.at(103).numbers,
                   c.values.at(102).numbers,
                   c.values.at(105).numbers,
                   c.values.at(104).numbers};
  }

  const Tensor& result() const { return kind == FORWARD ? y : kind == BACKWARD_DATA ? x : weight; }
  const Tensor& first() const { return kind == FORWARD ? x : y; }
  const Tensor& second() const { return kind == BACKWARD_FILTER ? x : weight; }

  int64_t windows(int axis) const {
    int64_t reach = dilations[axis] * (weight.sizes[2 + axis] - 1) + 1;
    return (x.sizes[2 + axis] + before[axis] + behind[axis] - reach) / strides[axis] + 1;
  }

  std::string wrong() const {
    bool sizes = x.sizes[0] == y.sizes[0] && x.sizes[1] % weight.sizes[1] == 0 &&
                 weight.sizes[0] == y.sizes[1] && windows(0) == y.sizes[2] && windows(1) == y.sizes[3];
    if (!sizes) return "tensors that do not fit";
    if (first().type != second().type) return "operands of different types";
    if (result().type != first().type && result().type != 0) return "types that do not go together";
    if (result().type != first().type && kind != BACKWARD_FILTER) return "a result that is not of its operands' type";
    return "";
  }
};

std::string wrong(const Object& of) {
  const auto& values = of.values;
  switch (of.kind) {
    case TENSOR:
      if (values.at(902).numbers.size() != 4 || values.at(903).numbers.size() != 4) return "a tensor without four axes";
      return values.at(900).numbers[0] == 64 ? "" : "an alignment that plans do not keep";
    case CONVOLUTION:
      if (values.at(100).numbers[0] != 0) return "sums not in FP32";
      if (values.at(101).numbers[0] != 1) return "kernels that are turned around";
      return values.at(106).numbers[0] == 2 ? "" : "other axes than two";
    case FORWARD:
    case BACKWARD_DATA:
    case BACKWARD_FILTER:
      for (const auto& [attribute, value] : values) {
        bool right = value.type != DESCRIPTOR || part(of, attribute, TENSOR) || part(of, attribute, CONVOLUTION);
        if (!right) return "an operation on what is not finished";
      }
      return Problem::of(of).wrong();
    case HEURISTIC:
      return part(of, 201, GRAPH) ? "" : "a heuristic without a graph";
    case PLAN:
      return known(values.at(401).numbers[0], CONFIGURATION) ? "" : "a plan of nothing";
    default:
      return "";
  }
}

// Which engines are named, and what is noted of them.
std::vector<int> notes(int64_t engine) {
  switch (engine) {
    case CHANGING:
      return {0, 4};
    case REDUCED:
      return {0, 2};
    default:
      return {9};
  }
}

const Object* operation(const Object& plan) {
  Object* configuration = known(plan.values.at(401).numbers[0], CONFIGURATION);
  auto* graph = reinterpret_cast<Object*>(configuration->values.at(-1).numbers[0]);
  if (objects.count(graph) == 0) return nullptr;
  return reinterpret_cast<Object*>(graph->values.at(801).numbers[0]);
}

uint64_t workspace(const Problem& problem) { return problem.kind == FORWARD ? 0 : 1000; }

void convolve(const Problem& p, uint64_t a, uint64_t b, uint64_t to) {
  const Tensor& result = p.result();
  std::vector<double> sums(result.extent());
  int64_t inputs = p.weight.sizes[1];
  int64_t outputs = p.weight.sizes[0] / (p.x.sizes[1] / inputs);
  for (int64_t n = 0; n < p.y.sizes[0]; n++) {
    for (int64_t o = 0; o < p.y.sizes[1]; o++) {
      for (int64_t r = 0; r < p.y.sizes[2]; r++) {
        for (int64_t c = 0; c < p.y.sizes[3]; c++) {
          for (int64_t i = 0; i < inputs; i++) {
            for (int64_t u = 0; u < p.weight.sizes[2]; u++) {
              for (int64_t v = 0; v < p.weight.sizes[3]; v++) {
                int64_t row = r * p.strides[0] + u * p.dilations[0] - p.before[0];
                int64_t column = c * p.strides[1] + v * p.dilations[1] - p.before[1];
                bool inside = row >= 0 && row < p.x.sizes[2] && column >= 0 && column < p.x.sizes[3];
                if (!inside) continue;
                int64_t x = p.x.at(n, o / outputs * inputs + i, row, column);
                int64_t w = p.weight.at(o, i, u, v);
                int64_t y = p.y.at(n, o, r, c);
                int64_t first = p.kind == FORWARD ? x : y;
                int64_t second = p.kind == BACKWARD_FILTER ? x : w;
                int64_t sum = p.kind == FORWARD ? y : p.kind == BACKWARD_DATA ? x : w;
                sums[sum] += load(kind(p.first().type), a, first) * load(kind(p.second().type), b, second);
              }
            }
          }
        }
      }
    }
  }
  for (size_t i = 0; i < sums.size(); i++) store(kind(result.type), to, i, sums[i]);
}

bool reachable(const Tensor& tensor, uint64_t memory) {
  return memory % 64 == 0 && rig_allocated(memory, tensor.extent() * size_of(kind(tensor.type)));
}

}  // namespace

extern "C" {

// How many handles and descriptors there are.
uint64_t rig_library_objects() {
  std::lock_guard<std::recursive_mutex> held(lock);
  return objects.size();
}

// --- the library

size_t cudnnGetVersion() { return 90501; }

const char* cudnnGetErrorString(Status status) {
  switch (status) {
    case NOT_INITIALIZED:
      return "CUDNN_STATUS_NOT_INITIALIZED";
    case BAD_PARAM:
      return "CUDNN_STATUS_BAD_PARAM";
    case NOT_SUPPORTED:
      return "CUDNN_STATUS_NOT_SUPPORTED";
    case EXECUTION_FAILED:
      return "CUDNN_STATUS_EXECUTION_FAILED";
    default:
      return "another status";
  }
}

void cudnnGetLastErrorString(char* to, size_t most) {
  std::lock_guard<std::recursive_mutex> held(lock);
  std::strncpy(to, complaint.c_str(), most - 1);
  to[most - 1] = 0;
}

Status cudnnCreate(void** handle) {
  ENTER();
  auto* made = new Object{HANDLE_KIND, {}};
  objects.insert(made);
  *handle = made;
  return OK;
}

Status cudnnDestroy(void* handle) {
  ENTER();
  Object* found = known(reinterpret_cast<int64_t>(handle), HANDLE_KIND);
  if (found == nullptr) return complain(NOT_INITIALIZED, "a handle that was never made");
  objects.erase(found);
  delete found;
  return OK;
}

Status cudnnSetStream(void* handle, void* stream) {
  ENTER();
  if (!known(reinterpret_cast<int64_t>(handle), HANDLE_KIND)) return complain(BAD_PARAM, "no handle");
  stream_of_handle = stream;
  return OK;
}

Status cudnnBackendCreateDescriptor(int kind, void** descriptor) {
  ENTER();
  if (NEEDED.count(kind) == 0) return complain(NOT_SUPPORTED, "descriptor " + std::to_string(kind));
  auto* made = new Object{kind, {}};
  objects.insert(made);
  *descriptor = made;
  return OK;
}

Status cudnnBackendDestroyDescriptor(void* descriptor) {
  ENTER();
  auto* found = static_cast<Object*>(descriptor);
  if (objects.erase(found) == 0) return complain(BAD_PARAM, "what was never made is destroyed");
  delete found;
  return OK;
}

Status cudnnBackendSetAttribute(void* descriptor, int attribute, int type, int64_t count, const void* values) {
  ENTER();
  auto* found = static_cast<Object*>(descriptor);
  if (objects.count(found) == 0 || found->finished) return complain(BAD_PARAM, "an attribute of what is finished");
  const auto& needed = NEEDED.at(found->kind);
  auto expected = needed.find(attribute);
  if (expected == needed.end() || expected->second != type || count < 1) {
    return complain(BAD_PARAM, "attribute " + std::to_string(attribute) + " of type " + std::to_string(type));
  }
  Value value{type, {}};
  for (int64_t i = 0; i < count; i++) {
    int64_t number = 0;
    std::memcpy(&number, static_cast<const char*>(values) + i * bytes_of(type), bytes_of(type));
    value.numbers.push_back(number);
  }
  found->values[attribute] = value;
  return OK;
}

Status cudnnBackendFinalize(void* descriptor) {
  ENTER();
  auto* found = static_cast<Object*>(descriptor);
  if (objects.count(found) == 0) return complain(BAD_PARAM, "what was never made is finished");
  for (const auto& [attribute, type] : NEEDED.at(found->kind)) {
    if (found->values.count(attribute) == 0) return complain(BAD_PARAM, "no attribute " + std::to_string(attribute));
  }
  std::string problem = wrong(*found);
  if (!problem.empty()) return complain(BAD_PARAM, problem);
  if (found->kind == PLAN) {
    found->engine = known(found->values.at(401).numbers[0], CONFIGURATION)->engine;
    if (found->engine == UNPLANNED) return NOT_SUPPORTED;
  }
  found->finished = true;
  return OK;
}

Status cudnnBackendGetAttribute(void* descriptor, int attribute, int type, int64_t most, int64_t* count, void* values) {
  ENTER();
  auto* found = static_cast<Object*>(descriptor);
  if (objects.count(found) == 0) return complain(BAD_PARAM, "an attribute of what was never made");
  auto** filled = static_cast<Object**>(values);
  if (found->kind == HEURISTIC && attribute == 202 && type == DESCRIPTOR) {
    *count = most < ENGINES ? most : ENGINES;
    for (int64_t i = 0; i < *count; i++) {
      filled[i]->engine = i;
      filled[i]->values[-1] = found->values.at(201);  // its graph
    }
    return OK;
  }
  if (found->kind == CONFIGURATION && attribute == 300 && type == DESCRIPTOR) {
    filled[0]->engine = found->engine;
    *count = 1;
    return OK;
  }
  if (found->kind == ENGINE && attribute == 1303 && type == NOTE) {
    std::vector<int> all = notes(found->engine);
    *count = static_cast<int64_t>(all.size());
    std::memcpy(values, all.data(), all.size() * sizeof(int));
    return OK;
  }
  if (found->kind == PLAN && attribute == 402 && type == INT64 && found->finished) {
    *static_cast<int64_t*>(values) = static_cast<int64_t>(workspace(Problem::of(*operation(*found))));
    *count = 1;
    return OK;
  }
  return complain(BAD_PARAM, "attribute " + std::to_string(attribute) + " is read");
}

#ifndef WITHOUT_EXECUTION
Status cudnnBackendExecute(void* handle, void* plan, void* pack) {
  ENTER();
  Object* planned = known(reinterpret_cast<int64_t>(plan), PLAN);
  Object* packed = known(reinterpret_cast<int64_t>(pack), PACK);
  bool all = known(reinterpret_cast<int64_t>(handle), HANDLE_KIND) && planned && packed &&
             planned->finished && packed->finished;
  if (!all) return complain(BAD_PARAM, "a plan, a pack or a handle that is none");
  if (planned->engine != SOUND) return complain(BAD_PARAM, "an engine whose numbers are others");
  const Object* op = operation(*planned);
  if (op == nullptr || objects.count(const_cast<Object*>(op)) == 0) return complain(BAD_PARAM, "a plan of what is gone");
  Problem problem = Problem::of(*op);
  const auto& numbers = packed->values.at(1000).numbers;
  const auto& pointers = packed->values.at(1001).numbers;
  std::map<int64_t, uint64_t> memory;
  for (size_t i = 0; i < numbers.size() && i < pointers.size(); i++) memory[numbers[i]] = pointers[i];
  uint64_t a = memory[problem.first().number];
  uint64_t b = memory[problem.second().number];
  uint64_t to = memory[problem.result().number];
  bool there = reachable(problem.first(), a) && reachable(problem.second(), b) && reachable(problem.result(), to);
  if (!there) return complain(BAD_PARAM, "tensors that are not there");
  uint64_t used = workspace(problem);
  uint64_t space = packed->values.at(1003).numbers[0];
  if (used > 0 && (space % 256 != 0 || !rig_allocated(space, used))) return complain(BAD_PARAM, "too little workspace");
  rig::Work work = [=] {
    std::memset(reinterpret_cast<void*>(space), 0xee, used);
    convolve(problem, a, b, to);
    return 0;
  };
  return rig_queue(stream_of_handle, &work) == 0 ? OK : complain(EXECUTION_FAILED, "a stream that is none");
}
#endif

}  // extern "C"
