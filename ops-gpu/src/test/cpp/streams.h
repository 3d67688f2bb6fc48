// Streams, events and graphs of the emulated device. Work waits until somebody waits for it, so
// that a forgotten synchronisation shows as a stale value.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace rig {

// What a stream does next; gives a CUDA error code, 0 for success.
using Work = std::function<int()>;

struct Graph {
  std::vector<Work> nodes;
  bool spoiled = false;  // an illegal call was made during the capture
};

struct Stream;

struct Event {
  Stream* stream = nullptr;  // where it was last recorded
  uint64_t position = 0;     // how much of that stream comes before it
  Graph* capture = nullptr;  // the graph that was being captured then
  double reached = -1;       // when, in milliseconds; negative until then
};

struct Stream {
  std::deque<Work> waiting;
  uint64_t queued = 0, done = 0;
  int failed = 0;
  Graph* capture = nullptr;
  bool origin = false;  // where the capture began

  void add(Work work);
  int drain(uint64_t until);
};

}  // namespace rig
