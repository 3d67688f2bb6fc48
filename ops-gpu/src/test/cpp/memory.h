// Memory of the emulated device: poisoned when it is handed out, between red zones that are checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace rig {

// Where memory starts, or 0 where the device has no more.
uint64_t allocate(size_t bytes);

// False where nothing starts there.
bool release(uint64_t start);

// Whether [start, start + bytes) lies within one allocation.
bool allocated(uint64_t start, size_t bytes);

// What was written beyond an allocation, in words; empty where nothing was.
std::string trespass();

// Makes the red zones whole again.
void mend();

size_t total_bytes();
size_t free_bytes();
void limit(size_t bytes);
size_t allocations();

}  // namespace rig
