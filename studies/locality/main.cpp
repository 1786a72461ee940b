// locality: runs each kernel under each schedule and marks what the lab should count.
//
//   locality --prepare FILE --cpus N              writes inputs and right answers for N CPUs
//   locality --inputs FILE [--runtime FILE] [--kernels A,B] [--set NAME=VALUE]... SCHEDULE...
//   locality --list all                           prints the kernels
//
// schedule.hpp says what SCHEDULE can be. Each schedule runs in a process of its own, because
// runtimes read their environment once. --set is for these processes only: libgomp binds the thread
// that loads it, and the processes that this thread starts would be bound as well.
//
// One JSON line describes each marked region, in the order of the regions. A wrong answer, a wrong
// runtime or a schedule that the runtime did not accept ends the process with a status of its own.
#include <omp.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../../lab/mark.h"
#include "../../bench/micro/identity.hpp"
#include "kernels.hpp"
#include "schedule.hpp"

namespace {

using namespace bench::locality;

[[noreturn]] void fail(int status, const std::string& why) {
  std::fprintf(stderr, "locality: %s\n", why.c_str());
  std::exit(status);
}

// ---- Regions ----

template <int N>
void label() {
  LAB_REGION(N);
}

// A mark is an instruction that contains its number, so each number has a function.
void label_region(int number) {
  constexpr auto kLabels = []<int... N>(std::integer_sequence<int, N...>) {
    return std::array<void (*)(), sizeof...(N)>{label<N>...};
  }(std::make_integer_sequence<int, 64>());
  kLabels.at(static_cast<size_t>(number))();
}

struct Job {
  const Row* row;
  Init init;
  int region;
  uint64_t expected;
  std::unique_ptr<Kernel> kernel;
};

void count(Job& job, const Schedule& schedule) {
  schedule.choose(job.row->chunk);
  // These runs create the threads and warm up their stacks and the caches.
  for (int i = 0; i < schedule.warm_repetitions(); ++i) job.kernel->run(schedule.form());
  label_region(job.region);
  LAB_START();
  job.kernel->run(schedule.form());
  LAB_STOP();
  const bool right = job.kernel->answer() == job.expected;
  std::printf(
      "{\"kind\":\"region\",\"region\":%d,\"kernel\":\"%s\",\"init\":\"%s\",\"schedule\":\"%s\","
      "\"chunk\":%d,\"threads\":%d,\"right\":%s}\n",
      job.region, job.row->name.data(), job.init == Init::kSerial ? "serial" : "first touch",
      schedule.text().c_str(), schedule.has_chunk() ? job.row->chunk : 0, omp_get_max_threads(),
      right ? "true" : "false");
  if (!right) fail(bench::kWrongAnswer, "wrong answer: " + std::string(job.row->name));
}

using Rows = std::vector<std::pair<int, const Row*>>;  // with their indices among all kernels

// `list` has commas between names; an empty list means all kernels.
Rows wanted_kernels(const std::string& list) {
  Rows found;
  const auto rows = kernels();
  std::string known;
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::string name(rows[i].name);
    known += " " + name;
    if (list.empty() || ("," + list + ",").find("," + name + ",") != std::string::npos)
      found.emplace_back(static_cast<int>(i), &rows[i]);
  }
  const auto asked = std::count(list.begin(), list.end(), ',') + 1;
  if (!list.empty() && asked != static_cast<ptrdiff_t>(found.size()))
    fail(2, "--kernels '" + list + "': each of these at most once, with commas between:" + known);
  return found;
}

std::vector<Job> make_jobs(Init init, const Inputs& inputs, const Rows& wanted) {
  std::vector<Job> jobs;
  for (const auto& [i, row] : wanted)
    jobs.push_back({row, init, 2 * i + 1 + (init == Init::kFirstTouch),
                    inputs.answers[static_cast<size_t>(i)], row->make(inputs, row->chunk)});
  return jobs;
}

// Runs before there is a team, whose members would burn emulated time while they wait; and on one
// CPU, so that all pages are on one node. The mask is restored before the runtime reads it.
void initialise_serially(std::vector<Job>& jobs) {
  cpu_set_t before, one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  sched_getaffinity(0, sizeof before, &before);
  sched_setaffinity(0, sizeof one, &one);
  for (Job& job : jobs) job.kernel->initialise(Init::kSerial);
  sched_setaffinity(0, sizeof before, &before);
}

// ---- Commands ----

struct Options {
  std::string list, prepare, inputs, runtime, kernels;
  int cpus = 0;
  std::vector<std::string> settings, schedules;
};

void run(const Options& options, const Schedule& schedule) {
  const Inputs inputs = Inputs::load(options.inputs);
  const Rows wanted = wanted_kernels(options.kernels);
  {
    auto jobs = make_jobs(Init::kSerial, inputs, wanted);
    initialise_serially(jobs);
    bench::identify(options.runtime.empty() ? nullptr : options.runtime.c_str(),
                    omp_get_max_threads());
    if (omp_get_max_threads() != inputs.cpus)
      fail(bench::kWrongTeam, std::to_string(omp_get_max_threads()) + " threads, inputs for " +
                                  std::to_string(inputs.cpus));
    for (Job& job : jobs) count(job, schedule);
  }
  for (Job& job : make_jobs(Init::kFirstTouch, inputs, wanted)) {
    job.kernel->initialise(Init::kFirstTouch);
    count(job, schedule);
  }
}

void set(const std::string& setting) {
  const auto equals = setting.find('=');
  if (equals == std::string::npos) fail(2, "--set '" + setting + "' is not NAME=VALUE");
  setenv(setting.substr(0, equals).c_str(), setting.c_str() + equals + 1, 1);
}

int run_apart(char** argv, const Options& options, const std::string& given) {
  const Schedule schedule(given);
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    for (const std::string& setting : options.settings) set(setting);
    schedule.set_environment();
    setenv("LOCALITY_SCHEDULE", given.c_str(), 1);
    execv("/proc/self/exe", argv);
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void list_kernels(const std::string& wanted) {
  for (const auto& [i, row] : wanted_kernels(wanted == "all" ? "" : wanted))
    std::printf("{\"kernel\":\"%s\",\"chunk\":%d,\"about\":\"%s\"}\n", row->name.data(), row->chunk,
                row->about.data());
}

int number(const std::string& name, const std::string& text, int highest) {
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 10);
  if (end == text.c_str() || *end != '\0' || value < 1 || value > highest)
    fail(2, name + " '" + text + "': a number from 1 to " + std::to_string(highest));
  return static_cast<int>(value);
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (!name.starts_with("--")) {
      options.schedules.push_back(name);
      continue;
    }
    if (i + 1 == argc) fail(2, name + " needs a value");
    const std::string value = argv[++i];
    if (name == "--list")
      options.list = value;
    else if (name == "--prepare")
      options.prepare = value;
    else if (name == "--inputs")
      options.inputs = value;
    else if (name == "--runtime")
      options.runtime = value;
    else if (name == "--kernels")
      options.kernels = value;
    else if (name == "--set")
      options.settings.push_back(value);
    else if (name == "--cpus")
      options.cpus = number(name, value, 1024);
    else
      fail(2, name + ": known are --list --prepare --cpus --inputs --runtime --kernels --set");
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  if (!options.list.empty()) return list_kernels(options.list), 0;
  if (!options.prepare.empty()) {
    if (options.cpus == 0) fail(2, "--prepare needs --cpus");
    return Inputs::make(options.cpus).save(options.prepare), 0;
  }
  if (options.inputs.empty() || options.schedules.empty())
    fail(2, "--inputs FILE and a schedule, or --prepare FILE and --cpus N");
  if (const char* schedule = std::getenv("LOCALITY_SCHEDULE"))
    return run(options, Schedule(schedule)), 0;
  for (const std::string& schedule : options.schedules)
    if (const int status = run_apart(argv, options, schedule)) return status;
  return 0;
}
