// loops: the paper's programs under its schedules on models of its machines. Prints JSON; studies/run loops
// makes the page of it.
//
//   loops [OPTION...]     one line for each machine, number of threads and schedule
//   loops --parameters    prints the table of parameters
//   loops --works         prints the work per iteration of the programs
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "base/quote.hpp"
#include "execution.hpp"
#include "schedules.hpp"

namespace {

using namespace loops;  // NOLINT: the program

constexpr char kHelp[] =
    "usage: loops [OPTION...]\n"
    "  --program NAME           loops --list prints the names\n"
    "  --machine NAME           epyc, xeon or knl (epyc)\n"
    "  --threads N,N...         (64)\n"
    "  --schedule NAME          as VICINO_SCHEDULE has it, or libgomp-dynamic,N or "
    "libgomp-guided,N;\n"
    "                           may be given several times\n"
    "  --seed N                 of the cores' clocks and of random victims (1)\n"
    "  --bound value|low|high   of all parameters (value)\n"
    "  --set NAME=VALUE         a parameter; VALUE may be low or high\n"
    "  --fixed                  all cores at the clock fixed-ghz\n"
    "  --deque N                threads whose updates of a chunk's size are counted together (4)\n"
    "  --keep FOLDER            where searches of graphs are kept between runs (nowhere)\n"
    "  --list                   prints the programs\n"
    "  --works                  prints the work per iteration of the program, or of all\n"
    "  --parameters             prints the parameters\n";

[[noreturn]] void refuse(const std::string& why) {
  std::fprintf(stderr, "loops: %s\n", why.c_str());
  std::exit(2);
}

uint64_t number(const std::string& option, const std::string& text, uint64_t least, uint64_t most) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
    refuse(option + " takes a number from " + std::to_string(least) + " to " +
           std::to_string(most) + ", not " + vicino::quoted(text));
  return value;
}

struct Options {
  std::string program, machine = "epyc";
  std::vector<uint32_t> threads;
  std::vector<std::string> schedules, sets;
  Setting setting{.deque = 4};
  Bound bound = Bound::kValue;
  bool lists = false, works = false, prints_parameters = false;

  Parameters parameters() const {
    Parameters found = parameters_of(machine, bound);
    for (const std::string& each : sets)
      if (const auto done = set(found, machine, each); !done) refuse(done.error());
    return found;
  }
};

template <class Known>
std::string known(const std::string& option, const std::string& text, const Known& all) {
  std::string names;
  for (const auto& each : all) {
    if (each.name == text) return text;
    names += (names.empty() ? "" : ", ") + std::string(each.name);
  }
  refuse(option + " takes " + names + ", not " + vicino::quoted(text));
}

Bound bound(const std::string& text) {
  if (text == "value") return Bound::kValue;
  if (text == "low") return Bound::kLow;
  if (text == "high") return Bound::kHigh;
  refuse("--bound takes value, low or high, not " + vicino::quoted(text));
}

void take(Options& options, const std::string& option, const std::string& value) {
  if (option == "--program") {
    options.program = known(option, value, programs());
  } else if (option == "--machine") {
    options.machine = known(option, value, machines());
  } else if (option == "--threads") {
    std::stringstream stream(value);
    for (std::string part; std::getline(stream, part, ',');)
      options.threads.push_back(static_cast<uint32_t>(number(option, part, 1, 1024)));
  } else if (option == "--schedule") {
    options.schedules.push_back(value);
  } else if (option == "--seed") {
    options.setting.seed = number(option, value, 0, UINT32_MAX);
  } else if (option == "--bound") {
    options.bound = bound(value);
  } else if (option == "--deque") {
    options.setting.deque = static_cast<uint32_t>(number(option, value, 1, 1024));
  } else if (option == "--keep") {
    keep_in(value);
  } else if (option == "--set") {
    options.sets.push_back(value);
  } else {
    refuse("no option " + vicino::quoted(option) + "; loops --help lists them");
  }
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--help") std::exit(std::fputs(kHelp, stdout) < 0);
    if (option == "--parameters")
      options.prints_parameters = true;
    else if (option == "--works")
      options.works = true;
    else if (option == "--list")
      options.lists = true;
    else if (option == "--fixed")
      options.setting.fixed = true;
    else if (i + 1 == argc)
      refuse(option + " takes a value, or is no option; loops --help lists them");
    else
      take(options, option, argv[++i]);
  }
  if (options.threads.empty()) options.threads = {64};
  return options;
}

void print_parameters() {
  const char* comma = "[";
  for (const Row& row : table()) {
    std::printf(
        "%s\n {\"machine\": %s, \"name\": %s, \"value\": %.9g, \"low\": %.9g, \"high\": %.9g, "
        "\"unit\": %s, \"meaning\": %s, \"source\": %s}",
        comma, vicino::in_json(row.machine).c_str(), vicino::in_json(row.name).c_str(), row.value,
        row.low, row.high, vicino::in_json(row.unit).c_str(), vicino::in_json(row.meaning).c_str(),
        vicino::in_json(row.source).c_str());
    comma = ",";
  }
  std::puts("\n]");
}

void print_works(const Options& options) {
  const char* comma = "[";
  for (const Title& title : programs()) {
    if (!options.program.empty() && title.name != options.program) continue;
    const Works found = works(title.name, options.parameters());
    std::printf(
        "%s\n {\"program\": \"%s\", \"iterations\": %.0f, \"mean\": %.6g, \"variance\": %.6g, "
        "\"range\": %.6g}",
        comma, std::string(title.name).c_str(), found.iterations, found.mean, found.variance,
        found.range);
    comma = ",";
  }
  std::puts("\n]");
}

void print(const Options& options, uint32_t threads, const std::string& name, const Outcome& o,
           const char* comma) {
  double sum = 0, squares = 0;
  for (const double each : o.updates) sum += each, squares += each * each;
  const auto count = static_cast<double>(o.updates.size());
  const auto [least, most] = std::ranges::minmax(o.updates);
  std::printf(
      "%s\n {\"program\": \"%s\", \"machine\": \"%s\", \"threads\": %u, \"schedule\": %s, \"ns\": "
      "%.6g,"
      " \"work\": %.6g, \"iterations\": %llu, \"claims\": %llu, \"steals\": %llu, \"reused\": %.4f,"
      " \"updates\": [%.4g, %.4g, %.4g]}",
      comma, options.program.c_str(), options.machine.c_str(), threads,
      vicino::in_json(name).c_str(), o.ns, o.work, static_cast<unsigned long long>(o.iterations),
      static_cast<unsigned long long>(o.claims), static_cast<unsigned long long>(o.steals),
      o.reused, sum / count, squares / count - sum / count * (sum / count), most - least);
  std::fflush(stdout);
}

void run(const Options& options) {
  if (options.program.empty()) refuse("--program is missing; loops --list prints the names");
  if (options.schedules.empty()) refuse("--schedule is missing, as in --schedule nich,paper");
  std::vector<vicino::loop::Selection> selections;
  for (const std::string& name : options.schedules) {
    const auto found = schedule_of(name);
    if (!found) refuse(found.error());
    selections.push_back(*found);
  }
  const Parameters parameters = options.parameters();
  const Program program = make(options.program, parameters);
  const char* comma = "[";
  for (const uint32_t threads : options.threads)
    for (size_t i = 0; i < selections.size(); ++i) {
      Setting setting = options.setting;
      setting.threads = threads;
      print(options, threads, options.schedules[i],
            Execution(parameters, selections[i], setting).run(program), comma);
      comma = ",";
    }
  std::puts("\n]");
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  if (options.lists)
    for (const Title& title : programs())
      std::printf("%-18s %s\n", std::string(title.name).c_str(), std::string(title.paper).c_str());
  else if (options.prints_parameters)
    print_parameters();
  else if (options.works)
    print_works(options);
  else
    run(options);
}
