// What the emulated libraries of NVIDIA have in common: one call at a time, calls that are counted
// and can be made to fail, and the first complaint in words.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "numbers.cuh"
#include "streams.h"

extern "C" int rig_queue(void* stream, const rig::Work* work);
extern "C" bool rig_allocated(uint64_t start, uint64_t bytes);
extern "C" void rig_spoil_captures();

namespace {

using Status = int;

struct Injection {
  Status status;
  int after;
};

std::recursive_mutex lock;
std::string complaint;
std::map<std::string, uint64_t> calls;
std::map<std::string, Injection> injections;

Status complain(Status status, const std::string& what) {
  if (complaint.empty()) complaint = what;
  return status;
}

// Counts the call and says whether it may go on. One that fails spoils what is being captured.
Status enter(const char* name) {
  calls[name]++;
  auto found = injections.find(name);
  if (found == injections.end() || found->second.after-- > 0) return 0;
  Status status = found->second.status;
  injections.erase(found);
  rig_spoil_captures();
  return status;
}

#define ENTER()                                     \
  std::lock_guard<std::recursive_mutex> held(lock); \
  if (Status refused = enter(__func__)) return refused

// How a number lies in memory.
enum class Kind { FP32, FP16, BF16 };

size_t size_of(Kind kind) { return kind == Kind::FP32 ? 4 : 2; }

double load(Kind kind, uint64_t memory, int64_t at) {
  switch (kind) {
    case Kind::FP32:
      return reinterpret_cast<const float*>(memory)[at];
    case Kind::FP16:
      return wide(reinterpret_cast<const fp16*>(memory)[at]);
    default:
      return wide(reinterpret_cast<const bf16*>(memory)[at]);
  }
}

void store(Kind kind, uint64_t memory, int64_t at, double value) {
  float v = static_cast<float>(value);
  switch (kind) {
    case Kind::FP32:
      reinterpret_cast<float*>(memory)[at] = v;
      return;
    case Kind::FP16:
      narrow(v, reinterpret_cast<fp16*>(memory)[at]);
      return;
    default:
      narrow(v, reinterpret_cast<bf16*>(memory)[at]);
  }
}

}  // namespace

extern "C" {

// --- what tests ask of the library itself

// The call `name` gives `status` after it succeeded `after` more times.
void rig_library_fail(const char* name, int status, int after) {
  std::lock_guard<std::recursive_mutex> held(lock);
  injections[name] = {status, after};
}

uint64_t rig_library_calls(const char* name) {
  std::lock_guard<std::recursive_mutex> held(lock);
  return calls[name];
}

// What was asked for that cannot be, since the last time; failures to come are forgotten.
const char* rig_library_complaint() {
  static std::string told;
  std::lock_guard<std::recursive_mutex> held(lock);
  told = complaint;
  complaint.clear();
  injections.clear();
  return told.c_str();
}

}  // extern "C"
