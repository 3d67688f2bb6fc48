#include "streams.h"

namespace rig {

void Stream::add(Work work) {
  if (capture != nullptr) {
    capture->nodes.push_back(std::move(work));
  } else {
    waiting.push_back(std::move(work));
    queued++;
  }
}

int Stream::drain(uint64_t until) {
  while (done < until && !waiting.empty()) {
    Work next = std::move(waiting.front());
    waiting.pop_front();
    done++;
    int error = failed != 0 ? 0 : next();
    if (error != 0) failed = error;
  }
  return failed;
}

}  // namespace rig
