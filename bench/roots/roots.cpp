// roots: several threads of one program, each with parallel regions of its own at the same time.
//
// Why    A server's or a Python program's threads call libraries with regions. Each thread leads a team as large as the
//        machine, so the threads of all teams share the CPUs, and what one team's threads do while they wait is taken
//        from the other teams.
// How    First all roots run regions for a while, which are not timed: a runtime learns then. Then they take the regions
//        that are left one by one, as a server's threads take requests, and the time is from the moment at which all have
//        begun to the end of the last.
#include <sys/resource.h>

#include <atomic>
#include <thread>
#include <vector>

#include "process.hpp"

namespace {

uint64_t region(const bench::Work& work, std::string_view kind, int leaf) {
  if (kind == "static") return work.in_static_loop();
  if (kind == "dynamic") return work.in_dynamic_loop();
  if (kind == "tasks") return work.in_tasks(leaf);
  if (kind == "serial") return work.serial();
  bench::reject("not a value for --kind:", kind, bench::kKinds);
}

// Waits, without a runtime's help, until so many have come.
class Start {
 public:
  explicit Start(int all) : left_(all) {}
  void wait() {
    if (--left_ == 0) left_.notify_all();
    for (int left; (left = left_) != 0;) left_.wait(left);
  }

 private:
  std::atomic<int> left_;
};

// Of the process so far: by sleeping, and by losing a CPU or offering it.
struct Switches {
  long slept, others;
};
Switches switches_now() {
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  return {used.ru_nvcsw, used.ru_nivcsw};
}

}  // namespace

int main(int argc, char** argv) {
  bench::ProcessOptions options;
  bench::read_arguments(
      argc, argv, bench::kProcessOptions,
      [&](std::string_view name) { return bench::set_flag(options, name); },
      [&](std::string_view name, const char* value) {
        return bench::set_value(options, name, value);
      });
  LAB_START();
  const bench::Work work(options);
  if (!options.serial) bench::identify(options.runtime, bench::team_size());
  const std::string_view kind = options.serial ? "serial" : options.kind;
  const int leaf = std::max(
      1, static_cast<int>(std::lround(options.task_us / options.work_us * bench::Work::kParts)));
  const uint64_t right = work.serial();
  const long regions = std::max(1L, std::lround(options.total_ms * 1e3 / options.work_us));
  std::atomic<long> taken = 0;
  Start warm(options.roots), timed(options.roots);
  std::atomic<double> begun = 0;
  double cpu_before = 0;
  Switches before{};
  std::vector<std::thread> roots;
  for (int root = 0; root < options.roots; ++root)
    roots.emplace_back([&] {
      bench::expect(region(work, kind, leaf), right);
      warm.wait();
      const double until = bench::clock_ns(CLOCK_MONOTONIC) + options.warm_ms * 1e6;
      while (bench::clock_ns(CLOCK_MONOTONIC) < until)
        bench::expect(region(work, kind, leaf), right);
      timed.wait();
      double nobody = 0;
      const bench::Times now = bench::times_now();
      if (begun.compare_exchange_strong(nobody, now.wall_ns)) {
        cpu_before = now.cpu_ns;
        before = switches_now();
      }
      while (taken++ < regions) bench::expect(region(work, kind, leaf), right);
    });
  for (std::thread& root : roots) root.join();
  const bench::Times end = bench::times_now();
  LAB_STOP();
  const Switches after = switches_now();
  const auto all = static_cast<double>(regions);
  std::printf(
      "{\"kind\":\"roots\",\"wall_ns\":%.0f,\"cpu_ns\":%.0f,\"regions\":%.0f,\"work_ns\":%.0f,"
      "\"sleeps\":%.2f,\"other_switches\":%.2f}\n",
      end.wall_ns - begun, end.cpu_ns - cpu_before, all, all * options.work_us * 1e3,
      static_cast<double>(after.slept - before.slept) / all,
      static_cast<double>(after.others - before.others) / all);
}
