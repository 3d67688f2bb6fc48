// Preloaded, it sets the clock of a process by as many seconds as the first 8 bytes of the file that
// SET_CLOCK names say at that moment. Clocks that count on, and waits for a while, are the system's
// (libfaketime has Java's end too early); who waits until a time of day waits for the clock that is set.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile const int64_t* seconds;

__attribute__((constructor)) static void open_file(void) {
  const char* name = getenv("SET_CLOCK");
  int file = name == NULL ? -1 : open(name, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  void* mapped = mmap(NULL, sizeof *seconds, PROT_READ, MAP_SHARED, file, 0);
  if (mapped != MAP_FAILED) seconds = mapped;
  close(file);
}

static int64_t offset(void) { return seconds == NULL ? 0 : *seconds; }

int clock_gettime(clockid_t clock, struct timespec* time) {
  int failed = (int)syscall(SYS_clock_gettime, clock, time);
  if (failed == 0 && clock == CLOCK_REALTIME) time->tv_sec += offset();
  return failed;
}

int gettimeofday(struct timeval* restrict time, void* restrict zone) {
  (void)zone;
  struct timespec now;
  int failed = clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return failed;
}

time_t time(time_t* at) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (at != NULL) *at = now.tv_sec;
  return now.tv_sec;
}

// Which clock a condition has it does not tell; no machine has counted on for as long as this.
enum { TIME_OF_DAY = 1000000000 };

int pthread_cond_timedwait(pthread_cond_t* restrict condition, pthread_mutex_t* restrict mutex,
                           const struct timespec* restrict until) {
  if (until->tv_sec < TIME_OF_DAY) {
    return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, until);
  }
  struct timespec of_system = {until->tv_sec - offset(), until->tv_nsec};
  return pthread_cond_clockwait(condition, mutex, CLOCK_REALTIME, &of_system);
}
