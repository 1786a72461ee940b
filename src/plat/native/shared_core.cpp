// shared_core.cpp: a thread that shares its core with another of the process moves to another CPU.
//
// Why    Two members of a team that are on one CPU change places at each yield(). A thread that sleeps instead is woken
//        on an idle CPU, if there is one. Where processes of low priority run, no CPU is idle: the thread is woken
//        where it was, although another CPU has next to nothing to do. And the kernel, which sees the CPUs' loads, does
//        not move a thread that has just run, and these have always just run. It left two members on one CPU
//        for tenths of a second: a region took ten times as long (test/lab/beside_test.py).
// Sign   At least a quarter of the last kOffers offers were taken, and the core came back each time. A process that
//        computes takes time slices. It costs 0.3 us for each kOffers offers.
//        Or kLosses times in a row a member that works took an offered core. Such absences are longer, and few.
// Then   The thread sleeps at its next wait. If the sign stays for kLongNs, or at the last of these losses, it allows itself
//        only another CPU, and then all that it had: the kernel moves it at once. It prefers one where no other thread of
//        Vicino's is (occupants.hpp); where the choice was bad, the next follows.
// Nap    The kernel passes an offered CPU on by how much time it owes to each thread. To one that has slept for long it owes
//        up to 12 ms (before Linux 6.6, with 8 CPUs); that one keeps the CPU, with all its offers, from a thread to which
//        it owes 4 ms less: another member that was just woken, or the primary thread, which had slept while the kernel moved
//        pages. Teams stood still for 1.3 to 4 ms in the first milliseconds of 5 of 16 runs of stencil (bench/pages, 4x4). So a
//        thread that has polled for long sleeps for a moment; then the other one runs, and this one is woken on an idle
//        CPU. After kInVain naps in which nobody took the CPU, one of kRarely is left.
// Others In a process with threads that Vicino does not know, one of these may have taken the core. If it does so again and
//        again, it polls and offers the core, too: it is served, and sleeping would cost a wake-up and gain nothing.
//        occupants.hpp tells whether another member is on the core. If so, and no CPU is idle, the thread moves at once,
//        for these others may poll for long.
// Not    for more threads than CPUs, and not beside equals: where there was a crowd in the last second, or several threads
//        take turns with this one. There two members that share a CPU are well off.
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/kept_errno.hpp"
#include "plat/lost_time.hpp"
#include "plat/native/crowd.hpp"
#include "plat/native/occupants.hpp"

namespace vicino::plat {

constinit Occupants occupants;
thread_local constinit Occupancy own_occupancy;

namespace {

// A thread that works takes one offer, or two.
constexpr int kFewTaken = 3;
// Much more than kOffers offers take, if each is taken: some 0.1 ms.
constexpr uint64_t kSoonNs = 1'000'000;
// Equals that take turns by yields do so every few 10 us, so this shows how many they are.
constexpr uint64_t kLongNs = 1'000'000;
// One other thread takes a half of the time, two take two thirds.
constexpr double kByOne = 0.6;

// After each loss the thread sleeps, and the kernel looks for an idle CPU when it wakes it, but only among those that
// share a cache. Where none is there, in the lab's 8x2, it was 12 ms until the kernel moved one of two members that shared a
// CPU. The first loss may be chance, and after the second the thread may wake beside another member; the third tells.
constexpr int kLosses = 3;
// Between two losses the thread sleeps at a wait or more, and each member has up to half a millisecond of work: more would
// count as a time slice. With 1 ms two members shared a CPU for all of a run with steps of 0.18 ms (8x2).
constexpr uint64_t kSoonAfterLossNs = 10'000'000;

// A wait that ends within a nap ends up to 20 us late. So naps are rare once a thread has had as many in vain as it may take
// in its first milliseconds, where it meets the others on one CPU.
constexpr uint32_t kInVain = 32, kRarely = 64;
// Where a hypervisor sets the timer, that takes 10 us, and a timer that has ended by then makes nobody sleep.
constexpr long kMomentNs = 20'000;
// A nap takes 22 us, or 38 in a virtual machine.
constexpr uint64_t kLongNapNs = 150'000;

// Any of the CPUs but `here`, which is one of them; nothing if there is no other. One without a thread of Vicino's, if
// there is one.
std::optional<int> other_cpu(cpu_set_t cpus, int here) noexcept {
  CPU_CLR(here, &cpus);
  cpu_set_t free = cpus;
  for (int cpu = 0; cpu < Occupants::kCpus; ++cpu)
    if (CPU_ISSET(cpu, &free) && !occupants.is_free(cpu)) CPU_CLR(cpu, &free);
  if (CPU_COUNT(&free) > 0) cpus = free;
  const int count = CPU_COUNT(&cpus);
  if (count == 0) return {};
  auto left = static_cast<int>(rnd() % static_cast<uint64_t>(count));
  int cpu = 0;
  while (!CPU_ISSET(cpu, &cpus) || left-- > 0) ++cpu;
  return cpu;
}

// Where the kernel refuses, and where it has more CPUs than the set's 1024, the thread stays.
void leave_core() noexcept {
  cpu_set_t allowed;
  const int here = sched_getcpu();
  if (here < 0 || here >= CPU_SETSIZE || sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    return;
  const std::optional<int> cpu = other_cpu(allowed, here);
  if (!cpu) return;
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(*cpu, &only);
  if (sched_setaffinity(0, sizeof only, &only) != 0) return;
  detail::enter_cpu();
  sched_setaffinity(0, sizeof allowed, &allowed);
}

// A member is on this core, or took it. Whether the next wait is to sleep. `unknown`: the process has threads that Vicino
// does not know.
bool sleeps_or_moves(uint64_t time, bool unknown) noexcept {
  static thread_local constinit uint64_t last = 0;
  static thread_local constinit int losses = 0;
  losses = time - std::exchange(last, time) < kSoonAfterLossNs ? losses + 1 : 1;
  if (was_crowded(time)) return true;
  const std::optional<Load> seen = unknown ? load() : std::nullopt;
  const bool in_vain = seen && seen->ready > seen->cpus;
  if (losses < kLosses && !in_vain) return true;
  losses = 0;
  leave_core();
  detail::forget_run_delay();
  return !in_vain;
}

}  // namespace

bool is_free_for_this_thread(int cpu) noexcept {
  return cpu == own_occupancy.cpu ? !occupants.is_shared(own_occupancy) : occupants.is_free(cpu);
}

void leave_cpu() noexcept { occupants.leave(own_occupancy); }

void detail::enter_cpu() noexcept { occupants.enter(own_occupancy, sched_getcpu()); }

void detail::nap() noexcept {
  static thread_local constinit uint32_t in_vain = 0, left_out = 0;
  if (in_vain >= kInVain && ++left_out < kRarely) return;
  left_out = 0;
  const KeptErrno kept;
  const int here = sched_getcpu();
  const uint64_t began = now();
  const int slack = prctl(PR_GET_TIMERSLACK);
  const timespec moment{0, kMomentNs};
  prctl(PR_SET_TIMERSLACK, 1);
  // Not nanosleep(), which would act upon a pthread_cancel().
  syscall(SYS_nanosleep, &moment, nullptr);
  prctl(PR_SET_TIMERSLACK, slack);
  const bool was_taken = sched_getcpu() != here || now() - began > kLongNapNs;
  in_vain = was_taken ? 0 : in_vain + 1;
}

bool detail::meets_member(uint64_t time) noexcept {
  return occupants.is_shared(own_occupancy) && has_unknown_threads() && sleeps_or_moves(time, true);
}

bool detail::lost_core(uint64_t time) noexcept {
  if (!has_unknown_threads()) return sleeps_or_moves(time, false);
  enter_cpu();  // so has the thread that took the offered core, if it is Vicino's
  return occupants.is_shared(own_occupancy) && sleeps_or_moves(time, true);
}

bool detail::shares_core(int offers) noexcept {
  static thread_local constinit long switches = 0;
  static thread_local constinit uint64_t last = 0, since = 0;
  static thread_local constinit ThreadTimes times;  // at `since`
  rusage used;
  if (getrusage(RUSAGE_THREAD, &used) != 0) return false;
  const long taken = used.ru_nivcsw - std::exchange(switches, used.ru_nivcsw);
  if (taken < std::max(offers / 4, kFewTaken)) return false;
  const uint64_t time = now();
  if (has_unknown_threads()) {
    if (occupants.is_shared(own_occupancy)) return sleeps_or_moves(time, true);
    occupants.take_turns(own_occupancy, time);
    return false;
  }
  if (was_crowded(time)) return false;
  if (time - std::exchange(last, time) >= kSoonNs) {
    since = time;
    times = thread_times();
    return true;
  }
  if (time - since < kLongNs) return false;
  const ThreadTimes passed = thread_times() - times;
  last = 0;
  if (passed.wanted() == 0 || passed.share_waited() > kByOne) return false;
  leave_core();
  forget_run_delay();
  return true;
}

}  // namespace vicino::plat
