// cluster: the paper's figure 6 from a model: the real schedulers on 1 to 1024 nodes of 16 cores
// under virtual time. Prints JSON; studies/cluster/run makes the page and the picture of it.
//
//   cluster [OPTION...]        simulates
//   cluster --parameters       prints the table of parameters
//   cluster --calibrate        prints the sigma with which uSched gains what the paper says
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/quote.hpp"
#include "cluster.hpp"

namespace {

using namespace cluster;  // NOLINT: the program

constexpr char kHelp[] =
    "usage: cluster [OPTION...]\n"
    "  --workload nbody|snap|FILE   FILE: a recorded trace, nanoseconds of an iteration on each "
    "line\n"
    "  --nodes N,N...               sizes of the cluster (1,2,4,8,16,32,64,128,256,512,1024)\n"
    "  --strategies NAME,NAME...    static, dynamic, guided, uSched, callsite, vSched, full, "
    "shares (all)\n"
    "  --warm N --steps N           steps that are not counted (20), and that are (100)\n"
    "  --seed N                     of the noise and of the clusters of bodies (1)\n"
    "  --threads N                  of this machine (1)\n"
    "  --set NAME=VALUE             a parameter; VALUE may be low or high\n"
    "  --parameters                 prints the parameters\n"
    "  --calibrate                  prints the calibrated sigma\n";

[[noreturn]] void refuse(const std::string& why) {
  std::fprintf(stderr, "cluster: %s\n", why.c_str());
  std::exit(2);
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

uint32_t number(const std::string& option, const std::string& text, uint32_t least, uint32_t most) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
    refuse(option + " takes a number from " + std::to_string(least) + " to " +
           std::to_string(most) + ", not " + vicino::quoted(text));
  return value;
}

const Strategy& strategy(const std::string& name) {
  const auto found = std::ranges::find(kStrategies, name, &Strategy::name);
  if (found != kStrategies.end()) return *found;
  std::string known;
  for (const Strategy& each : kStrategies)
    known += (known.empty() ? "" : ", ") + std::string(each.name);
  refuse("no strategy " + vicino::quoted(name) + "; known: " + known);
}

struct Options {
  std::string workload = "nbody";
  std::vector<const Strategy*> strategies;
  Parameters parameters = defaults();
  Scale scale{.nodes = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}};
  bool prints_parameters = false, calibrates = false;
};

void take(Options& options, const std::string& option, const std::string& value) {
  constexpr uint32_t kMostNodes = 65'536, kMostSteps = 1'000'000;
  Scale& scale = options.scale;
  if (option == "--workload") {
    options.workload = value;
  } else if (option == "--nodes") {
    scale.nodes.clear();
    for (const auto& part : split(value))
      scale.nodes.push_back(number(option, part, 1, kMostNodes));
    if (scale.nodes.empty()) refuse("--nodes takes numbers, as in 1,2,4");
  } else if (option == "--strategies") {
    for (const auto& part : split(value)) options.strategies.push_back(&strategy(part));
  } else if (option == "--warm") {
    scale.warm = number(option, value, 1, kMostSteps);
  } else if (option == "--steps") {
    scale.steps = number(option, value, 1, kMostSteps);
  } else if (option == "--seed") {
    scale.seed = number(option, value, 0, UINT32_MAX);
  } else if (option == "--threads") {
    scale.threads = number(option, value, 1, 1024);
  } else if (option == "--set") {
    if (const auto done = set(options.parameters, value); !done) refuse(done.error());
  } else {
    refuse("no option " + vicino::quoted(option) + "; cluster --help lists them");
  }
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--help") std::exit(std::fputs(kHelp, stdout) < 0);
    if (option == "--parameters") {
      options.prints_parameters = true;
    } else if (option == "--calibrate") {
      options.calibrates = true;
    } else if (i + 1 == argc) {
      refuse(option + " takes a value, or is no option; cluster --help lists them");
    } else {
      take(options, option, argv[++i]);
    }
  }
  if (options.strategies.empty())
    for (const Strategy& each : kStrategies) options.strategies.push_back(&each);
  return options;
}

Workload workload(const Options& options, const Parameters& parameters) {
  if (options.workload == "nbody") return Workload::nbody(parameters, options.scale.seed);
  if (options.workload == "snap") return Workload::snap(parameters, options.scale.seed);
  std::ifstream file(options.workload);
  if (!file)
    refuse("--workload takes nbody, snap or a file that can be read, not " +
           vicino::quoted(options.workload));
  std::stringstream text;
  text << file.rdbuf();
  auto trace = Workload::trace(parameters, text.str());
  if (!trace) refuse(options.workload + ": " + trace.error());
  return *std::move(trace);
}

// NaN is not JSON.
std::string shown(double value) {
  if (std::isnan(value)) return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

void print_parameters() {
  const char* comma = "[";
  for (const Row& row : table()) {
    std::printf(
        "%s\n {\"name\": %s, \"value\": %s, \"low\": %s, \"high\": %s, \"unit\": %s,"
        " \"meaning\": %s, \"source\": %s, \"calibrated\": %s}",
        comma, vicino::in_json(row.name).c_str(), shown(row.value).c_str(), shown(row.low).c_str(),
        shown(row.high).c_str(), vicino::in_json(row.unit).c_str(),
        vicino::in_json(row.meaning).c_str(), vicino::in_json(row.source).c_str(),
        row.calibrated ? "true" : "false");
    comma = ",";
  }
  std::puts("\n]");
}

void run(const Options& options) {
  const Workload program = workload(options, options.parameters);
  const char* comma = "[";
  for (const Strategy* each : options.strategies)
    for (const Outcome& o : simulate(*each, program, options.parameters, options.scale)) {
      std::printf(
          "%s\n {\"strategy\": \"%s\", \"nodes\": %u, \"step_ns\": %s, \"slack\": %s,"
          " \"fraction\": %s, \"moved\": %s}",
          comma, std::string(each->name).c_str(), o.nodes, shown(o.step).c_str(),
          shown(o.slack).c_str(), shown(o.fraction).c_str(), shown(o.moved).c_str());
      comma = ",";
    }
  std::puts("\n]");
}

// By bisection: the gain grows with sigma.
void calibrate(Options options) {
  constexpr double kGain = 0.2552;
  options.scale.nodes = {1024};
  double low = 0.02, high = 0.3;
  const auto gain = [&](double sigma) {
    options.parameters.sigma = sigma;
    const Workload nbody = Workload::nbody(options.parameters, options.scale.seed);
    const auto step = [&](const char* name) {
      return simulate(strategy(name), nbody, options.parameters, options.scale)[0].step;
    };
    return step("static") / step("uSched") - 1;
  };
  if (gain(low) > kGain || gain(high) < kGain)
    refuse("no sigma from 0.02 to 0.3 gives the paper's gain");
  while (high - low > 5e-5) {
    const double middle = (low + high) / 2;
    (gain(middle) < kGain ? low : high) = middle;
  }
  std::printf("%.4f\n", (low + high) / 2);
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  if (options.prints_parameters)
    print_parameters();
  else if (options.calibrates)
    calibrate(options);
  else
    run(options);
}
