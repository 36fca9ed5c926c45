// Preloaded into servers and databases (LD_PRELOAD): their clock is ahead by as many seconds as the file CLOCK_FILE says, and
// follows it at once. Both the time of day and the time that only passes are moved, as if the machine had run all along.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *file;

__attribute__((constructor)) static void open_file(void) {
  const char *path = getenv("CLOCK_FILE");
  int opened = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (opened < 0) return;
  void *mapped = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, opened, 0);
  close(opened);
  if (mapped != MAP_FAILED) file = mapped;
}

static int64_t ahead(void) { return file ? *file : 0; }

int clock_gettime(clockid_t clock, struct timespec *now) {
  int failed = (int)syscall(SYS_clock_gettime, clock, now);
  int is_cpu_time = clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID || clock < 0;
  if (!failed && !is_cpu_time) now->tv_sec += ahead();
  return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec exact;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *place) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (place) *place = now.tv_sec;
  return now.tv_sec;
}

// The kernel waits by its own clock: a moment of ours is so much earlier there.

static struct timespec for_kernel(const struct timespec *until) {
  struct timespec earlier = *until;
  earlier.tv_sec -= ahead();
  return earlier;
}

static void *next(const char *name, const char *version) {
  void *found = dlvsym(RTLD_NEXT, name, version);
  return found ? found : dlsym(RTLD_NEXT, name);
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict until) {
  static int (*wait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
  if (!wait) wait = next("pthread_cond_timedwait", "GLIBC_2.3.2");
  struct timespec earlier = for_kernel(until);
  return wait(condition, mutex, &earlier);
}

int pthread_cond_clockwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, clockid_t clock,
                           const struct timespec *restrict until) {
  static int (*wait)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);
  if (!wait) wait = next("pthread_cond_clockwait", "GLIBC_2.30");
  struct timespec earlier = for_kernel(until);
  return wait(condition, mutex, clock, &earlier);
}

// A program that sleeps until its next timer looks at the clock now and then.

int epoll_pwait(int poll, struct epoll_event *events, int most, int timeout, const sigset_t *signals) {
  static int (*wait)(int, struct epoll_event *, int, int, const sigset_t *);
  if (!wait) wait = dlsym(RTLD_NEXT, "epoll_pwait");
  return wait(poll, events, most, timeout > 50 ? 50 : timeout, signals);
}
