#include "memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>

namespace rig {
namespace {

constexpr size_t ZONE = 512;
constexpr int ZONE_BYTE = 0xa5;
constexpr int FRESH_BYTE = 0xff;  // a NaN in every floating dtype
size_t total = size_t{4} << 30;
size_t taken = 0;

// From the start that the user knows to the size; zones lie before and behind.
std::map<uint64_t, size_t>& live() {
  static std::map<uint64_t, size_t> allocations;
  return allocations;
}

size_t rounded(size_t bytes) { return (bytes + 255) / 256 * 256; }

bool untouched(const unsigned char* from, size_t bytes) {
  return std::all_of(from, from + bytes, [](unsigned char b) { return b == ZONE_BYTE; });
}

std::string trespass(uint64_t start, size_t bytes) {
  auto* memory = reinterpret_cast<const unsigned char*>(start);
  bool before = !untouched(memory - ZONE, ZONE);
  bool behind = !untouched(memory + bytes, ZONE);
  if (!before && !behind) return "";
  return std::string("a kernel wrote ") + (before ? "before" : "behind") + " an allocation of " +
         std::to_string(bytes) + " bytes";
}

}  // namespace

uint64_t allocate(size_t bytes) {
  if (bytes == 0 || rounded(bytes) > total - taken) return 0;
  size_t whole = rounded(bytes + 2 * ZONE);
  auto* memory = static_cast<unsigned char*>(std::aligned_alloc(256, whole));
  if (memory == nullptr) return 0;
  std::memset(memory, ZONE_BYTE, whole);
  std::memset(memory + ZONE, FRESH_BYTE, bytes);
  auto start = reinterpret_cast<uint64_t>(memory + ZONE);
  live()[start] = bytes;
  taken += rounded(bytes);
  return start;
}

bool release(uint64_t start) {
  auto found = live().find(start);
  if (found == live().end()) return false;
  taken -= rounded(found->second);
  live().erase(found);
  std::free(reinterpret_cast<void*>(start - ZONE));
  return true;
}

bool allocated(uint64_t start, size_t bytes) {
  auto after = live().upper_bound(start);
  if (after == live().begin()) return false;
  auto found = std::prev(after);
  uint64_t offset = start - found->first;
  return offset <= found->second && bytes <= found->second - offset;
}

std::string trespass() {
  for (const auto& [start, bytes] : live()) {
    std::string found = trespass(start, bytes);
    if (!found.empty()) return found;
  }
  return "";
}

void mend() {
  for (const auto& [start, bytes] : live()) {
    std::memset(reinterpret_cast<void*>(start - ZONE), ZONE_BYTE, ZONE);
    std::memset(reinterpret_cast<void*>(start + bytes), ZONE_BYTE, ZONE);
  }
}

size_t total_bytes() { return total; }
size_t free_bytes() { return total - taken; }
void limit(size_t bytes) { total = bytes; }
size_t allocations() { return live().size(); }

}  // namespace rig
