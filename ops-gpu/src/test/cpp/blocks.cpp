#include "blocks.h"

#include <algorithm>
#include <memory>
#include <numeric>

// Saves the callee's registers (System V ABI, x86-64), keeps the stack in *save and goes on at `to`.
extern "C" void rig_switch(void** save, void* to);
asm(R"(
.globl rig_switch
.type rig_switch,@function
rig_switch:
  push %rbp; push %rbx; push %r12; push %r13; push %r14; push %r15
  mov %rsp,(%rdi)
  mov %rsi,%rsp
  pop %r15; pop %r14; pop %r13; pop %r12; pop %rbx; pop %rbp
  ret
.size rig_switch,.-rig_switch
)");

namespace rig {

// One launch at a time: the driver holds its lock while blocks run.
Block* current = nullptr;

namespace {

// Five lines of a cache more than a power of two: else the tops of all stacks would share few places.
constexpr size_t STACK = 64 * 1024 + 5 * 64;
constexpr unsigned char POISON = 0xff;  // a NaN in every floating dtype, -1 in every integer

const Kernel* launched = nullptr;
void** arguments = nullptr;
uint64_t state = 1;

// splitmix64, of Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
uint64_t draw() {
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

template <class T>
void shuffle(std::vector<T>& values) {
  for (size_t i = values.size(); i > 1; i--) std::swap(values[i - 1], values[(draw() >> 32) * i >> 32]);
}

void start() {
  launched->call(arguments);
  self().done = true;
  rig_switch(&self().stack_pointer, current->scheduler_stack);
}

void prepare(Fiber& fiber, unsigned number, char* stack) {
  const dim3& size = current->size;
  fiber.index = {number % size.x, number / size.x % size.y, number / (size.x * size.y)};
  fiber.lane = number & 31;
  fiber.warp = number >> 5;
  fiber.wait = Wait::NOTHING;
  fiber.done = false;
  fiber.exchanged = 0;
  fiber.ahead.clear();
  auto top = reinterpret_cast<uintptr_t>(stack + STACK) & ~uintptr_t{15};
  auto** sp = reinterpret_cast<void**>(top);
  *--sp = nullptr;  // keeps the stack aligned as after a call
  *--sp = reinterpret_cast<void*>(&start);
  for (int i = 0; i < 6; i++) *--sp = nullptr;
  fiber.stack_pointer = sp;
}

// Lets go on who waits for `what`, if all of these that still run do.
bool release(Fiber* first, Fiber* last, Wait what) {
  bool any = false;
  for (Fiber* f = first; f != last; f++) {
    if (f->done) continue;
    if (f->wait != what) return false;
    any = true;
  }
  if (any) {
    for (Fiber* f = first; f != last; f++) f->wait = Wait::NOTHING;
  }
  return any;
}

bool release_any() {
  std::vector<Fiber>& fibers = current->fibers;
  bool released = false;
  for (size_t from = 0; from < fibers.size(); from += 32) {
    size_t to = std::min(from + 32, fibers.size());
    released |= release(&fibers[from], fibers.data() + to, Wait::WARP);
  }
  return released || release(fibers.data(), fibers.data() + fibers.size(), Wait::BLOCK);
}

bool run_block(std::vector<unsigned>& order) {
  for (;;) {
    shuffle(order);
    bool alive = false;
    for (unsigned number : order) {
      Fiber& fiber = current->fibers[number];
      if (fiber.done) continue;
      alive = true;
      if (fiber.wait != Wait::NOTHING) continue;
      current->running = &fiber;
      rig_switch(&current->scheduler_stack, fiber.stack_pointer);
    }
    if (!alive) return true;
    bool all_done = std::all_of(current->fibers.begin(), current->fibers.end(),
                                [](const Fiber& f) { return f.done; });
    if (!all_done && !release_any()) return false;
  }
}

void poison_shared(const Shared& fixed, std::vector<char>& dynamic) {
  std::fill(dynamic.begin(), dynamic.end(), static_cast<char>(POISON));
  std::fill(fixed.start, fixed.stop, static_cast<char>(POISON));
}

}  // namespace

void pause(Wait what) {
  self().wait = what;
  rig_switch(&self().stack_pointer, current->scheduler_stack);
}

void seed(uint64_t value) { state = value; }

bool run(const Kernel& kernel, dim3 grid, dim3 size, size_t dynamic_shared, void** parameters) {
  unsigned threads = size.x * size.y * size.z;
  static std::unique_ptr<char[]> stacks;
  static size_t stack_count = 0;
  if (stack_count < threads) {
    stacks.reset(new char[threads * STACK]);
    stack_count = threads;
  }
  Block here{};
  here.fibers.resize(threads);
  here.size = size;
  here.grid = grid;
  std::vector<char> dynamic(dynamic_shared + 16);
  here.dynamic_shared = reinterpret_cast<char*>(
      (reinterpret_cast<uintptr_t>(dynamic.data()) + 15) & ~uintptr_t{15});
  current = &here;
  launched = &kernel;
  arguments = parameters;
  std::vector<unsigned> order(threads);
  std::iota(order.begin(), order.end(), 0u);
  std::vector<uint64_t> blocks(uint64_t{grid.x} * grid.y * grid.z);
  std::iota(blocks.begin(), blocks.end(), uint64_t{0});
  shuffle(blocks);
  for (uint64_t number : blocks) {
    here.index = {static_cast<unsigned>(number % grid.x),
                  static_cast<unsigned>(number / grid.x % grid.y),
                  static_cast<unsigned>(number / (uint64_t{grid.x} * grid.y))};
    poison_shared(kernel.shared, dynamic);
    for (unsigned i = 0; i < threads; i++) prepare(here.fibers[i], i, &stacks[i * STACK]);
    if (!run_block(order)) return false;
  }
  return true;
}

}  // namespace rig
