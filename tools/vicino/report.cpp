// report.cpp: `vicino report`: where the time of a program's threads went, and what to try.
#include <sys/stat.h>

#include <filesystem>
#include <optional>

#include "command.hpp"
#include "diagnosis.hpp"
#include "files.hpp"
#include "progress.hpp"
#include "report_json.hpp"
#include "report_page.hpp"
#include "say.hpp"
#include "traced_run.hpp"

namespace vicino::cli {
namespace {

constexpr const char* kDescription =
    R"(Tells where the time of a program's threads went, what limits its speed-up and
what to try. The program behind -- is run on Vicino with a trace; or FILE is a
trace that vicino run --trace has written.
)";

constexpr const char* kExitStatus =
    R"(0, or the program's own exit status if that is another. 2: bad usage, or
vicino failed. 3: the program has left no trace, or none with an event.
)";

constexpr const char* kExamples =
    R"(  vicino report -- ./app input.dat
  vicino report --html report.html vicino.pftrace
)";

struct ReportOptions {
  Words files;
  std::string html, json, talp;
};

// When the trace was written: a program that was built later is another. Nothing for a pipe.
std::optional<std::chrono::system_clock::time_point> written(const std::filesystem::path& file) {
  struct stat status;
  if (stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return std::chrono::system_clock::from_time_t(status.st_mtim.tv_sec);
}

std::string text_of(const Summary& summary, const std::vector<Diagnosis>& found) {
  std::string text;
  for (const std::string& sentence : verdict_of(summary, found))
    text += fmt::format("{}\n", sentence);
  for (size_t i = 1; i < found.size(); ++i) {
    text += fmt::format("Also: {}: {}. {}{}\n", found[i].evidence, in_words(found[i]),
                        found[i].remedy, found[i].command.empty() ? "." : ": " + found[i].command);
  }
  constexpr size_t kMostShown = 10;
  text += fmt::format("\n{:>10} {:>10} {:>10} {:>9}  {}\n", "together", "times", "each", "balance",
                      "where");
  for (size_t i = 0; i < std::min(summary.constructs.size(), kMostShown); ++i) {
    const TracedConstruct& one = summary.constructs[i];
    const std::string balance =
        one.kind == "region" ? percent(one.lost.efficiency().load_balance) : "";
    text += fmt::format("{:>10} {:>10} {:>10} {:>9}  {} {}\n",
                        time_in_words(static_cast<double>(one.lengths.sum)), one.executions,
                        time_in_words(one.lengths.mean()), balance, one.kind, one.place);
  }
  if (const std::string memory = memory_in_words(summary); !memory.empty())
    text += fmt::format("{}.\n", memory);
  for (const std::string& sentence : summary.pages) text += fmt::format("{}\n", sentence);
  if (summary.dropped > 0)
    text += fmt::format("{} events were dropped: the program had more than could be written.\n",
                        summary.dropped);
  if (summary.is_full)
    text +=
        fmt::format("The trace ends before the program: its file has reached the largest size.\n");
  if (summary.file.is_cut_off)
    text += fmt::format("The trace is cut off: the program died while it was written.\n");
  return text;
}

// "reads 512 MB of trace, about 9 s"; nothing for one that is read at once.
std::string reads(const std::filesystem::path& trace) {
  constexpr double kBytesInSecond =
      60e6;                            // two cores of 2.5 GHz; others are within a factor of two
  constexpr double kWorthTelling = 2;  // seconds
  std::error_code none;                // then summary_of() says so
  const auto size = std::filesystem::file_size(trace, none);
  const double seconds = none ? 0 : static_cast<double>(size) / kBytesInSecond;
  return seconds < kWorthTelling
             ? ""
             : fmt::format("reads {} MB of trace, about {:.0f} s", size / 1'000'000, seconds);
}

int report(const ReportOptions& options, const Words& program) {
  if (program.empty() == options.files.empty())
    throw Failure(kUsage, "report: it takes a trace or a program");
  if (options.files.size() > 1)
    throw Failure(kUsage, fmt::format("report: '{}' and '{}' are given; it takes one trace",
                                      options.files[0], options.files[1]));
  for (const std::string* const file : {&options.html, &options.json, &options.talp})
    expect_writable(*file);
  int status = kOk;
  std::optional<TracedRun> run;
  std::filesystem::path file;
  if (program.empty()) {
    file = options.files[0];
  } else {
    status = run.emplace().run(program);
    const TracedRun::Traces traces = run->traces(status == kOk ? int{kProgramFailed} : status);
    file = traces.largest;
    if (traces.others > 0)
      warn(
          fmt::format("the run has left {}, this is the largest; for the others: "
                      "VICINO_TRACE=trace-%p.pftrace vicino run {}, and vicino report FILE for each",
                      several(traces.others + 1, "trace"), quoted(program)));
  }
  StatusLine line;
  if (const std::string text = reads(file); !text.empty()) line.show(text);
  Summary summary = summary_of(file);
  if (summary.begin == summary.end)
    throw Failure(status == kOk ? int{kProgramFailed} : status,
                  "report: there is no event in the trace: the program ended before it wrote one");
  std::optional<std::chrono::system_clock::time_point> ran;
  if (!run) ran = written(file);
  name_lines(summary, ran);
  line.wipe();
  const std::vector<Diagnosis> found = diagnose(summary);
  Results results;
  const std::string text = text_of(summary, found);
  const bool is_text_aside = options.html == "-" || options.json == "-" || options.talp == "-";
  results.deliver([&] { is_text_aside ? tell(text) : write_or_print("-", text); });
  const auto add = [&](const std::string& to, const auto& made) {
    if (!to.empty()) results.deliver([&] { write_or_print(to, made()); });
  };
  add(options.html, [&] { return report_page(summary, found); });
  add(options.json, [&] { return json_text(report_json(summary, found), 1); });
  add(options.talp, [&] { return json_text(talp_json(summary), 1); });
  results.finish(status);
  return status;
}

}  // namespace

Command add_report(CLI::App& root) {
  CLI::App* app =
      root.add_subcommand("report", "Tell where the threads' time went, and what to try");
  auto options = std::make_shared<ReportOptions>();
  app->add_option("file", options->files)->group("");
  app->add_option("--html", options->html, "Write all of it as a page to look at")
      ->type_name("FILE");
  app->add_option("--json", options->json, "Write all of it as JSON; - is standard output")
      ->type_name("FILE");
  app->add_option("--talp", options->talp, "Write efficiencies as JSON for TALP-Pages")
      ->type_name("FILE");
  return {.app = app,
          .synopsis = "[options] FILE | -- program [argument...]",
          .sections = {{"Description", kDescription},
                       {"Exit status", kExitStatus},
                       {"Examples", kExamples}},
          .takes_flags = true,
          .action = [options](const Words& program) { return report(*options, program); }};
}

}  // namespace vicino::cli
