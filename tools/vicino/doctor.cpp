// doctor.cpp: `vicino doctor`: what is wrong with this surrounding, and with one run of a program in it.
#include <stdlib.h>

#include <algorithm>

#include "command.hpp"
#include "doctor_finding.hpp"
#include "doctor_run.hpp"
#include "duration.hpp"
#include "machine_facts.hpp"
#include "say.hpp"

namespace vicino::cli {
namespace {

using json = nlohmann::ordered_json;

struct DoctorOptions {
  bool json = false;
  std::string timeout;
  std::vector<std::string> variables;
};

constexpr const char* kDescription =
    R"(Looks at what programs with OpenMP meet here: the CPUs that may be used and the
CPU quota, other programs at work, where memory lies, the clock, the
environment variables of OpenMP runtimes. What costs time is told, the most
costly first: what was seen, what it costs by this project's measurements, and
a command that mends it. docs/reference/doctor.md has all conditions.

A program is run once, on Vicino. Its output is not shown. Then it is also told
which OpenMP runtimes met in it, where threads wait because work is uneven or
too small, and whether regions had the threads that they asked for.

Nothing is changed. What could not be looked at is named.
)";

constexpr const char* kExitStatus =
    R"(0
    Nothing is wrong; there may be notes.
2
    Bad usage, or vicino failed.
3
    The program failed, or did not end in time.
7
    Something is wrong.
126, 127
    The program cannot be executed, or is not there.
128 plus a signal's number
    The signal stopped vicino.
)";

constexpr const char* kExamples =
    R"(  vicino doctor
  vicino doctor -- ./app input.dat
  vicino doctor --env OMP_NUM_THREADS=8 --json
)";

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
  return text;
}

// Of those that are wrong, and of the notes.
int count_of(const Findings& findings, bool notes) {
  return static_cast<int>(std::ranges::count(findings, notes, &Finding::is_note));
}

std::string verdict(const Findings& findings) {
  const int wrong = count_of(findings, false), notes = count_of(findings, true);
  std::string text = wrong == 0 ? "Nothing is wrong here" : several(wrong, "finding");
  if (notes > 0) text += ", " + several(notes, "note");
  return text + ".";
}

int status_of(const Findings& findings) { return count_of(findings, false) == 0 ? kOk : kFindings; }

void print_text(const Surrounding& facts, const Findings& findings) {
  const Style style = style_of(stdout);
  int number = 0;
  for (const Finding& each : findings) {
    const std::string mark = each.is_note ? "Note:" : fmt::format("{}.", ++number);
    fmt::print("{}{} {}{}\n", style.bold, mark, each.what, style.plain);
    for (const std::string& seen : each.seen) fmt::print("   seen   {}\n", seen);
    fmt::print("   costs  {}{}\n", each.cost,
               each.source.empty() ? "" : fmt::format(" ({})", each.source));
    fmt::print("   {}   {}\n\n", each.is_note ? "try " : "mend", each.mend);
  }
  const std::string hidden =
      facts.not_seen.empty() ? "" : fmt::format(" Not looked at: {}.", joined(facts.not_seen));
  fmt::print("{}{}{}{}\n", number == 0 ? style.good : style.bad, verdict(findings), style.plain,
             hidden);
}

void print_json(const Surrounding& facts, const Findings& findings) {
  json all = {{"schema", "vicino-doctor-1"},
              {"vicino", VICINO_VERSION},
              {"status", status_of(findings)},
              {"verdict", verdict(findings)},
              {"findings", json::array()},
              {"notes", json::array()},
              {"not_looked_at", facts.not_seen},
              {"machine", facts.recorded ? machine_json(topo::Machine::here()) : machine_json()}};
  if (facts.program) all["program"] = facts.program->command;
  for (const Finding& each : findings) {
    json one = {{"condition", each.condition},
                {"what", each.what},
                {"seen", each.seen},
                {"cost", each.cost}};
    if (!each.source.empty()) one["source"] = each.source;
    if (each.times > 0) one["times"] = each.times;
    one["mend"] = each.mend;
    all[each.is_note ? "notes" : "findings"].push_back(one);
  }
  fmt::print("{}\n", all.dump(2, ' ', false, json::error_handler_t::replace));
}

int doctor(const DoctorOptions& options, const Words& program) {
  Environment environment = Environment::of_process();
  for (const std::string& variable : options.variables) {
    environment.assign(variable);
    // The library's own parser reads this process's variables: the machine, its part, the ranks.
    const size_t equals = variable.find('=');
    setenv(variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
  }
  setenv("KMP_WARNINGS", "false", 1);  // what the parser warns of is told as findings
  config::settings();
  Surrounding facts = look_around(environment, topo::Machine::here());
  try {
    const HeldSignals held;
    std::optional<Seconds> timeout;
    if (!options.timeout.empty()) timeout = parse_duration(options.timeout);
    if (!program.empty()) facts.program = examine(program, environment, timeout, facts.not_seen);
  } catch (const Interrupted& interrupted) {
    return kSignal + interrupted.signal;
  }
  const Findings findings = findings_of(facts);
  options.json ? print_json(facts, findings) : print_text(facts, findings);
  return status_of(findings);
}

}  // namespace

Command add_doctor(CLI::App& root) {
  CLI::App* app = root.add_subcommand("doctor", "Tell what slows OpenMP programs down here");
  auto options = std::make_shared<DoctorOptions>();
  app->add_option("--env", options->variables, "Set a variable first; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->check(assignment());
  app->add_option("--timeout", options->timeout, "Fail if the program's run takes longer")
      ->type_name("TIME")
      ->check(duration());
  app->add_flag("--json", options->json, "Print JSON");
  return {.app = app,
          .synopsis = "[options] [[--] program [argument...]]",
          .sections = {{"Description", kDescription},
                       {"Exit status", kExitStatus},
                       {"Examples", kExamples}},
          .takes_program = true,
          .action = [options](const Words& program) { return doctor(*options, program); }};
}

}  // namespace vicino::cli
