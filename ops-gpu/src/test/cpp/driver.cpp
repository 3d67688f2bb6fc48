// libcuda.so.1 for machines without a GPU: the driver calls that HalfCell makes, on the host.
//
// Signatures: CUDA Driver API reference. Modules are the committed PTX; its kernels run as the same
// source compiled by g++, found by name and refused where the PTX declares other parameters.
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <unordered_set>

#include "blocks.h"
#include "memory.h"
#include "streams.h"

namespace {

using Address = uint64_t;
using Result = int;

enum Error : Result {
  OK = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NOT_INITIALIZED = 3,
  INVALID_IMAGE = 200,
  INVALID_CONTEXT = 201,
  INVALID_PTX = 218,
  INVALID_HANDLE = 400,
  NOT_FOUND = 500,
  NOT_READY = 600,
  ILLEGAL_ADDRESS = 700,
  LAUNCH_FAILED = 719,
  CAPTURE_UNSUPPORTED = 900,
  CAPTURE_INVALIDATED = 901,
  CAPTURE_UNMATCHED = 903,
};

constexpr int A100 = 80;
constexpr int CUDA_13 = 13000;

// The shared memory that a block may have where a launch says how much: an A100's.
constexpr int MOST_SHARED = 166912;

struct Function {
  const rig::Kernel* kernel;
  int dynamic_shared = 48 * 1024;
};

struct Module {
  std::string text;
  std::map<std::string, std::unique_ptr<Function>> functions;
};

struct Injection {
  int error;
  int after;
};

std::recursive_mutex lock;
bool initialized = false;
int sticky = 0;  // after a kernel failed, every call gives its error, as on a device
std::string message;
std::map<std::string, uint64_t> calls;
std::map<std::string, Injection> injections;
int capability = A100;
int newest_cuda = CUDA_13;
rig::Stream default_stream;
std::unordered_set<rig::Stream*> streams{&default_stream};
thread_local void* context = nullptr;
void* const PRIMARY = reinterpret_cast<void*>(0x1234);

rig::Stream* stream_of(void* handle) {
  auto* stream = handle == nullptr ? &default_stream : static_cast<rig::Stream*>(handle);
  return streams.count(stream) != 0 ? stream : nullptr;
}

// Counts the call and says whether it may go on.
Result enter(const char* name, bool needs_context) {
  calls[name]++;
  auto found = injections.find(name);
  if (found != injections.end() && found->second.after-- == 0) {
    Result error = found->second.error;
    injections.erase(found);
    return error;
  }
  if (sticky != 0) return sticky;
  if (!initialized) return NOT_INITIALIZED;
  if (needs_context && context == nullptr) return INVALID_CONTEXT;
  return OK;
}

#define ENTER_WITH(needs_context)                   \
  std::lock_guard<std::recursive_mutex> held(lock); \
  if (Result refused = enter(__func__, needs_context)) return refused
#define ENTER() ENTER_WITH(true)

// Calls that wait or allocate may not be made while anything is being captured by this thread.
Result outside_capture() {
  Result refused = OK;
  for (rig::Stream* stream : streams) {
    if (stream->capture == nullptr) continue;
    stream->capture->spoiled = true;
    refused = CAPTURE_UNSUPPORTED;
  }
  return refused;
}

#define OUTSIDE_CAPTURE() \
  if (Result refused = outside_capture()) return refused

Result drain(rig::Stream& stream) {
  Result failed = stream.drain(stream.queued);
  if (failed == OK) {
    std::string found = rig::trespass();
    if (!found.empty()) {
      message = found;
      failed = ILLEGAL_ADDRESS;
    }
  }
  if (failed != OK) sticky = failed;
  return failed;
}

double now() {
  auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(time).count();
}

Result copy(Address to, Address from, size_t bytes) {
  std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes);
  return OK;
}

Result add(void* handle, rig::Work work) {
  rig::Stream* stream = stream_of(handle);
  if (stream == nullptr) return INVALID_HANDLE;
  if (stream->capture != nullptr && stream->capture->spoiled) return CAPTURE_INVALIDATED;
  stream->add(std::move(work));
  return OK;
}

// How many parameters the PTX declares for an entry; -1 where it has no such entry.
int declared_parameters(const std::string& ptx, const std::string& name) {
  size_t at = ptx.find(".entry " + name + "(");
  if (at == std::string::npos) return -1;
  size_t end = ptx.find(')', ptx.find('(', at));
  int count = 0;
  for (size_t p = ptx.find(".param", at); p < end; p = ptx.find(".param", p + 1)) count++;
  return count;
}

}  // namespace

extern "C" {

// --- what tests ask of the rig itself

void rig_seed(uint64_t value) { rig::seed(value); }

// The call `name` gives `error` after it succeeded `after` more times.
void rig_fail(const char* name, int error, int after) {
  std::lock_guard<std::recursive_mutex> held(lock);
  injections[name] = {error, after};
}

uint64_t rig_calls(const char* name) {
  std::lock_guard<std::recursive_mutex> held(lock);
  return calls[name];
}

uint64_t rig_allocations() { return rig::allocations(); }
void rig_memory(uint64_t bytes) { rig::limit(bytes); }

// What the device and its driver say they are, until rig_recover.
void rig_device(int tenths, int cuda) {
  std::lock_guard<std::recursive_mutex> held(lock);
  capability = tenths;
  newest_cuda = cuda;
}

// For libraries of the rig: whatever is being captured cannot become a graph any more.
void rig_spoil_captures() {
  std::lock_guard<std::recursive_mutex> held(lock);
  outside_capture();
}

// For libraries of the rig: queues work on a stream, or records it where the stream is captured.
int rig_queue(void* stream, const rig::Work* work) {
  std::lock_guard<std::recursive_mutex> held(lock);
  return add(stream, *work);
}

// For libraries of the rig: whether device memory lies there.
bool rig_allocated(uint64_t start, uint64_t bytes) {
  std::lock_guard<std::recursive_mutex> held(lock);
  return rig::allocated(start, bytes);
}

// Forgets failures, as a new process would.
void rig_recover() {
  std::lock_guard<std::recursive_mutex> held(lock);
  sticky = 0;
  message.clear();
  injections.clear();
  capability = A100;
  newest_cuda = CUDA_13;
  rig::mend();
  for (rig::Stream* stream : streams) {
    stream->failed = 0;
    stream->capture = nullptr;
  }
}

// --- device and context

Result cuInit(unsigned) {
  std::lock_guard<std::recursive_mutex> held(lock);
  initialized = true;
  return enter("cuInit", false);
}

Result cuDriverGetVersion(int* version) {
  ENTER_WITH(false);
  *version = newest_cuda;
  return OK;
}

Result cuDeviceGetCount(int* count) {
  ENTER_WITH(false);
  *count = 1;
  return OK;
}

Result cuDeviceGet(int* device, int ordinal) {
  ENTER_WITH(false);
  *device = ordinal;
  return ordinal == 0 ? OK : 101;
}

Result cuDeviceGetName(char* name, int length, int) {
  ENTER_WITH(false);
  std::snprintf(name, static_cast<size_t>(length), "emulated GPU");
  return OK;
}

Result cuDeviceGetAttribute(int* value, int attribute, int) {
  ENTER_WITH(false);
  const std::map<int, int> known{{1, 1024}, {8, 49152}, {10, 32}, {16, 4}, {75, capability / 10},
                                 {76, capability % 10}, {97, MOST_SHARED}};
  auto found = known.find(attribute);
  if (found == known.end()) return INVALID_VALUE;
  *value = found->second;
  return OK;
}

Result cuDeviceTotalMem_v2(size_t* bytes, int) {
  ENTER_WITH(false);
  *bytes = rig::total_bytes();
  return OK;
}

Result cuDevicePrimaryCtxRetain(void** primary, int) {
  ENTER_WITH(false);
  *primary = PRIMARY;
  return OK;
}

Result cuDevicePrimaryCtxRelease_v2(int) {
  ENTER_WITH(false);
  return OK;
}

Result cuCtxSetCurrent(void* given) {
  ENTER_WITH(false);
  if (given != nullptr && given != PRIMARY) return INVALID_CONTEXT;
  context = given;
  return OK;
}

Result cuCtxSynchronize() {
  ENTER();
  OUTSIDE_CAPTURE();
  for (rig::Stream* stream : streams) {
    if (Result failed = drain(*stream)) return failed;
  }
  return OK;
}

Result cuGetErrorName(Result error, const char** name) {
  static const std::map<int, const char*> names{
      {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE"},
      {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"},
      {INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE"},
      {INVALID_PTX, "CUDA_ERROR_INVALID_PTX"},
      {NOT_FOUND, "CUDA_ERROR_NOT_FOUND"},
      {ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS"},
      {LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED"},
      {CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"},
      {CAPTURE_INVALIDATED, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED"}};
  auto found = names.find(error);
  *name = found == names.end() ? "CUDA_ERROR_UNKNOWN" : found->second;
  return OK;
}

Result cuGetErrorString(Result error, const char** text) {
  static std::string last;
  std::lock_guard<std::recursive_mutex> held(lock);
  bool own = !message.empty() && (error == ILLEGAL_ADDRESS || error == LAUNCH_FAILED);
  last = own ? message : "error " + std::to_string(error);
  *text = last.c_str();
  return OK;
}

// --- memory

Result cuMemAlloc_v2(Address* address, size_t bytes) {
  ENTER();
  OUTSIDE_CAPTURE();
  if (bytes == 0) return INVALID_VALUE;
  *address = rig::allocate(bytes);
  return *address != 0 ? OK : OUT_OF_MEMORY;
}

Result cuMemFree_v2(Address address) {
  ENTER();
  OUTSIDE_CAPTURE();
  for (rig::Stream* stream : streams) {
    if (Result failed = drain(*stream)) return failed;
  }
  return rig::release(address) ? OK : INVALID_VALUE;
}

Result cuMemGetInfo_v2(size_t* free, size_t* total) {
  ENTER();
  *free = rig::free_bytes();
  *total = rig::total_bytes();
  return OK;
}

Result cuMemHostAlloc(void** memory, size_t bytes, unsigned) {
  ENTER();
  OUTSIDE_CAPTURE();
  *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  return *memory != nullptr ? OK : OUT_OF_MEMORY;
}

Result cuMemFreeHost(void* memory) {
  ENTER();
  std::free(memory);
  return OK;
}

Result cuMemcpyHtoD_v2(Address to, const void* from, size_t bytes) {
  ENTER();
  OUTSIDE_CAPTURE();
  if (!rig::allocated(to, bytes)) return INVALID_VALUE;
  return copy(to, reinterpret_cast<Address>(from), bytes);
}

Result cuMemcpyDtoH_v2(void* to, Address from, size_t bytes) {
  ENTER();
  OUTSIDE_CAPTURE();
  if (!rig::allocated(from, bytes)) return INVALID_VALUE;
  return copy(reinterpret_cast<Address>(to), from, bytes);
}

Result cuMemcpyHtoDAsync_v2(Address to, const void* from, size_t bytes, void* stream) {
  ENTER();
  if (!rig::allocated(to, bytes)) return INVALID_VALUE;
  return add(stream, [=] { return copy(to, reinterpret_cast<Address>(from), bytes); });
}

Result cuMemcpyDtoHAsync_v2(void* to, Address from, size_t bytes, void* stream) {
  ENTER();
  if (!rig::allocated(from, bytes)) return INVALID_VALUE;
  return add(stream, [=] { return copy(reinterpret_cast<Address>(to), from, bytes); });
}

Result cuMemcpyDtoDAsync_v2(Address to, Address from, size_t bytes, void* stream) {
  ENTER();
  if (!rig::allocated(to, bytes) || !rig::allocated(from, bytes)) return INVALID_VALUE;
  return add(stream, [=] { return copy(to, from, bytes); });
}

Result cuMemsetD8Async(Address to, unsigned char value, size_t bytes, void* stream) {
  ENTER();
  if (!rig::allocated(to, bytes)) return INVALID_VALUE;
  return add(stream, [=] {
    std::memset(reinterpret_cast<void*>(to), value, bytes);
    return Result{OK};
  });
}

// --- streams and events

Result cuStreamCreate(void** stream, unsigned) {
  ENTER();
  auto* made = new rig::Stream;
  streams.insert(made);
  *stream = made;
  return OK;
}

Result cuStreamDestroy_v2(void* handle) {
  ENTER();
  rig::Stream* stream = stream_of(handle);
  if (stream == nullptr || stream == &default_stream) return INVALID_HANDLE;
  Result failed = drain(*stream);
  streams.erase(stream);
  delete stream;
  return failed;
}

Result cuStreamSynchronize(void* handle) {
  ENTER();
  OUTSIDE_CAPTURE();
  rig::Stream* stream = stream_of(handle);
  return stream == nullptr ? Result{INVALID_HANDLE} : drain(*stream);
}

Result cuEventCreate(void** event, unsigned) {
  ENTER();
  *event = new rig::Event;
  return OK;
}

Result cuEventDestroy_v2(void* event) {
  ENTER();
  delete static_cast<rig::Event*>(event);
  return OK;
}

Result cuEventRecord(void* handle, void* on) {
  ENTER();
  rig::Stream* stream = stream_of(on);
  if (stream == nullptr) return INVALID_HANDLE;
  auto* event = static_cast<rig::Event*>(handle);
  event->stream = stream;
  event->capture = stream->capture;
  event->reached = -1;
  if (stream->capture == nullptr) {
    stream->add([event] {
      event->reached = now();
      return Result{OK};
    });
    event->position = stream->queued;
  }
  return OK;
}

Result cuEventSynchronize(void* handle) {
  ENTER();
  OUTSIDE_CAPTURE();
  auto* event = static_cast<rig::Event*>(handle);
  if (event->stream == nullptr || streams.count(event->stream) == 0) return OK;
  return event->stream->drain(event->position);
}

Result cuEventQuery(void* handle) {
  ENTER();
  auto* event = static_cast<rig::Event*>(handle);
  bool pending = event->stream != nullptr && event->reached < 0;
  return pending ? Result{NOT_READY} : Result{OK};
}

Result cuEventElapsedTime(float* milliseconds, void* from, void* to) {
  ENTER();
  auto* first = static_cast<rig::Event*>(from);
  auto* second = static_cast<rig::Event*>(to);
  if (first->reached < 0 || second->reached < 0) return NOT_READY;
  *milliseconds = static_cast<float>(second->reached - first->reached);
  return OK;
}

Result cuStreamWaitEvent(void* handle, void* waited, unsigned) {
  ENTER();
  rig::Stream* stream = stream_of(handle);
  auto* event = static_cast<rig::Event*>(waited);
  if (stream == nullptr) return INVALID_HANDLE;
  if (event->capture != nullptr) {
    stream->capture = event->capture;  // joins the capture; nodes stand in the order of the calls
  } else if (event->stream != nullptr) {
    rig::Stream* other = event->stream;
    uint64_t position = event->position;
    stream->add([other, position] { return other->drain(position); });
  }
  return OK;
}

// --- modules and kernels

Result cuModuleLoadData(void** module, const void* image) {
  ENTER();
  OUTSIDE_CAPTURE();
  std::string text(static_cast<const char*>(image));
  if (text.find(".version ") == std::string::npos) return INVALID_IMAGE;
  if (text.find(".target ") == std::string::npos) return INVALID_PTX;
  *module = new Module{std::move(text), {}};
  return OK;
}

Result cuModuleUnload(void* module) {
  ENTER();
  delete static_cast<Module*>(module);
  return OK;
}

Result cuModuleGetFunction(void** function, void* handle, const char* name) {
  ENTER();
  auto* module = static_cast<Module*>(handle);
  int parameters = declared_parameters(module->text, name);
  for (const rig::Kernel* k = rig::Kernel::first(); k != nullptr; k = k->next) {
    if (std::strcmp(k->name, name) != 0) continue;
    if (parameters != static_cast<int>(k->sizes.size())) return NOT_FOUND;
    auto& made = module->functions[name];
    if (!made) made = std::make_unique<Function>(Function{k});
    *function = made.get();
    return OK;
  }
  return NOT_FOUND;
}

Result cuFuncSetAttribute(void* function, int attribute, int value) {
  ENTER();
  if (attribute != 8 || value < 0 || value > MOST_SHARED) return INVALID_VALUE;
  static_cast<Function*>(function)->dynamic_shared = value;
  return OK;
}

Result cuLaunchKernel(void* handle, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                      unsigned bz, unsigned shared, void* stream, void** parameters, void**) {
  ENTER();
  auto* function = static_cast<Function*>(handle);
  bool sizes = gx > 0 && gy > 0 && gz > 0 && gy <= 65535 && gz <= 65535 && bx > 0 && by > 0 &&
               bz > 0 && uint64_t{bx} * by * bz <= 1024;
  if (!sizes || static_cast<int>(shared) > function->dynamic_shared) return INVALID_VALUE;
  const rig::Kernel* kernel = function->kernel;
  std::vector<std::vector<uint64_t>> values;
  for (size_t i = 0; i < kernel->sizes.size(); i++) {
    values.emplace_back((kernel->sizes[i] + 7) / 8);
    std::memcpy(values[i].data(), parameters[i], kernel->sizes[i]);
  }
  return add(stream, [=]() mutable {
    std::vector<void*> at;
    for (std::vector<uint64_t>& value : values) at.push_back(value.data());
    if (rig::run(*kernel, {gx, gy, gz}, {bx, by, bz}, shared, at.data())) return Result{OK};
    message = std::string("threads of ") + kernel->name + " wait at different barriers";
    return Result{LAUNCH_FAILED};
  });
}

// --- graphs

Result cuStreamBeginCapture_v2(void* handle, int) {
  ENTER();
  rig::Stream* stream = stream_of(handle);
  if (stream == nullptr) return INVALID_HANDLE;
  if (stream == &default_stream || stream->capture != nullptr) return CAPTURE_UNSUPPORTED;
  stream->capture = new rig::Graph;
  stream->origin = true;
  return OK;
}

Result cuStreamIsCapturing(void* handle, int* status) {
  ENTER();
  rig::Stream* stream = stream_of(handle);
  if (stream == nullptr) return INVALID_HANDLE;
  *status = stream->capture == nullptr ? 0 : stream->capture->spoiled ? 2 : 1;
  return OK;
}

Result cuStreamEndCapture(void* handle, void** graph) {
  ENTER();
  rig::Stream* stream = stream_of(handle);
  if (stream == nullptr || stream->capture == nullptr || !stream->origin) return CAPTURE_UNMATCHED;
  rig::Graph* captured = stream->capture;
  for (rig::Stream* each : streams) {
    if (each->capture == captured) each->capture = nullptr;
  }
  stream->origin = false;
  if (captured->spoiled) {
    delete captured;
    return CAPTURE_INVALIDATED;
  }
  *graph = captured;
  return OK;
}

Result cuGraphInstantiateWithFlags(void** executable, void* graph, unsigned long long) {
  ENTER();
  *executable = new rig::Graph(*static_cast<rig::Graph*>(graph));
  return OK;
}

Result cuGraphUpload(void*, void*) {
  ENTER();
  return OK;
}

Result cuGraphGetNodes(void* graph, void** nodes, size_t* count) {
  ENTER();
  if (nodes != nullptr) return INVALID_VALUE;
  *count = static_cast<rig::Graph*>(graph)->nodes.size();
  return OK;
}

Result cuGraphLaunch(void* executable, void* stream) {
  ENTER();
  auto* graph = static_cast<rig::Graph*>(executable);
  return add(stream, [nodes = graph->nodes] {
    for (const rig::Work& node : nodes) {
      if (Result failed = node()) return failed;
    }
    return Result{OK};
  });
}

Result cuGraphDestroy(void* graph) {
  ENTER();
  delete static_cast<rig::Graph*>(graph);
  return OK;
}

Result cuGraphExecDestroy(void* executable) {
  ENTER();
  delete static_cast<rig::Graph*>(executable);
  return OK;
}

}  // extern "C"
