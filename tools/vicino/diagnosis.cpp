#include "diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "say.hpp"
#include "tune/explanation.hpp"

namespace vicino::cli {
namespace {

// A program in which less than a tenth of the threads' time is lost to one cause has no disease: half of what is
// measured on a machine that others use, too, is of this size.
constexpr double kWorthTelling = 0.1;
// A chunk costs some 10 to 60 ns, and the line that its counter lies in changes hands; in this time it is below a tenth.
constexpr double kShortChunkNs = 1000;
// Fork and join of two threads take about a microsecond, of 64 threads some ten.
constexpr double kShortRegionNs = 10'000;
// A task costs 50 to 300 ns.
constexpr double kShortTaskNs = 1000;

bool is_loop(const TracedConstruct& one) {
  return one.kind.ends_with("loop") && one.kind != "taskloop";
}

const TracedConstruct* greatest(const Summary& summary, std::string_view kind,
                                const std::function<double(const TracedConstruct&)>& amount) {
  const TracedConstruct* found = nullptr;
  for (const TracedConstruct& one : summary.constructs) {
    if (!kind.empty() && one.kind != kind) continue;
    if (amount(one) > 0 && (found == nullptr || amount(one) > amount(*found))) found = &one;
  }
  return found;
}

std::string run(const Summary& summary, std::string_view options) {
  return fmt::format("vicino run {} -- {}", options, summary.file.program);
}

// Of the time in which a thread did something, the part in which it had a core. The kernel counts how long it ran; when it
// was woken and waited for a core, it did nothing.
double core_share_of(const TracedThread& thread) {
  double active = 0;
  for (const Doing doing :
       {Doing::kSerial, Doing::kUseful, Doing::kScheduling, Doing::kPolling, Doing::kLock})
    active += static_cast<double>(thread.ns[static_cast<size_t>(doing)]);
  if (thread.ran_ns == 0 || active == 0) return 1;
  return std::min(static_cast<double>(thread.ran_ns) / active, 1.0);
}

// Other programs make a program's own disease look small: a thread that loses its core makes all others wait. So beside
// what was lost, the doctor looks at what would be lost if the program had the machine to itself: each thread's times
// count as far as it had a core.
class Doctor {
 public:
  explicit Doctor(const Summary& summary)
      : summary_(summary), all_(std::max(summary.thread_ns(), 1.0)) {
    for (const TracedThread& thread : summary.threads)
      core_shares_.push_back(core_share_of(thread));
    own_work_ = own_time_of(Doing::kUseful);
    is_busy_ = share(lost_for_cores()) >= kWorthTelling;
  }

  std::vector<Diagnosis> look() {
    if (summary_.team > 1) {
      serial();
      communication();
      crowd();
      others();
      locks();
      imbalance();
      scheduling();
    }
    std::ranges::stable_sort(found_, std::greater(), &Diagnosis::share);
    // Behind what other programs take, the program's own causes stand as they would be without them.
    if (!found_.empty() && found_[0].disease == Disease::kOthers)
      std::ranges::stable_sort(found_.begin() + 1, found_.end(), std::greater(),
                               [](const Diagnosis& one) { return std::max(one.share, one.alone); });
    return std::move(found_);
  }

 private:
  double share(double ns) const { return ns / all_; }
  // What all threads did so, with a core.
  double own_time_of(Doing doing) const {
    double sum = 0;
    for (size_t i = 0; i < core_shares_.size(); ++i)
      sum +=
          core_shares_[i] * static_cast<double>(summary_.threads[i].ns[static_cast<size_t>(doing)]);
    return sum;
  }
  // `own`: what is lost alone, in ns; it is told of where other programs take much.
  void add(Disease disease, double its_share, double own, std::string evidence, std::string remedy,
           std::string command = {}) {
    const double of_own = own / std::max(own + own_work_, 1.0);
    if (its_share < kWorthTelling && !(is_busy_ && of_own >= kWorthTelling)) return;
    found_.push_back({disease, std::max(its_share, is_busy_ ? share(own) : 0), std::move(evidence),
                      std::move(remedy), std::move(command), is_busy_ ? of_own : 0});
  }

  void serial() {
    const auto* const most = greatest(
        summary_, "region", [](const auto& one) { return static_cast<double>(one.serial_before); });
    const double lost =
        std::max(static_cast<double>(summary_.lost.serial) - lost_in_communication(), 0.0);
    const double alone = lost / std::max(summary_.team - 1, 1);
    std::string evidence =
        fmt::format("One thread works alone for {} of {}, while {} {}", time_in_words(alone),
                    time_in_words(summary_.seconds() * 1e9), several(summary_.team - 1, "other"),
                    summary_.team == 2 ? "waits" : "wait");
    if (most != nullptr && 2 * static_cast<double>(most->serial_before) > alone)
      evidence += fmt::format("; most of it, {}, before the region at {}",
                              time_in_words(static_cast<double>(most->serial_before)), most->place);
    add(Disease::kSerial, share(lost), own_time_of(Doing::kSerial) * std::max(summary_.team - 1, 1),
        evidence,
        "Make more of the program parallel: what lies outside of its regions; no schedule can help "
        "there");
  }

  // Meanwhile the others have nothing to do.
  double lost_in_communication() const {
    return static_cast<double>(summary_.communication_ns) * std::max(summary_.team - 1, 0);
  }
  void communication() {
    const auto ns = static_cast<double>(summary_.communication_ns);
    add(Disease::kCommunication, share(ns + lost_in_communication()), 0,
        fmt::format("Calls of MPI take {} of {}, outside of regions", time_in_words(ns),
                    time_in_words(summary_.seconds() * 1e9)),
        "Look which rank has least work: a report of the job says how long each waits. Ranks that "
        "wait can lend their cores",
        run(summary_, "--job-report --env VICINO_LEND=true"));
  }

  bool is_crowd() const { return summary_.cpus > 0 && summary_.team > summary_.cpus; }

  void crowd() {
    if (!is_crowd()) return;
    add(Disease::kCrowd, std::max(share(lost_for_cores()), kWorthTelling), 0,
        fmt::format("{} share {}", several(summary_.team, "thread"), several(summary_.cpus, "CPU")),
        "Ask for as many threads as there are CPUs, or let Vicino choose",
        run(summary_, fmt::format("--threads {}", summary_.cpus)));
  }

  void others() {
    if (is_crowd()) return;
    add(Disease::kOthers, share(lost_for_cores()), 0,
        fmt::format("Threads were ready for {} and had no core, because of other programs, and the "
                    "rest of the team waited "
                    "for them",
                    time_in_words(static_cast<double>(summary_.core_ns))),
        "Give the program CPUs of its own, or let Vicino use fewer threads while others need them",
        run(summary_, "--env OMP_DYNAMIC=true"));
  }

  // What is lost in regions, in two kinds; and how much of both is lost for want of a core, and in locks.
  double lost_in_regions() const {
    return static_cast<double>(summary_.lost.imbalance + summary_.lost.scheduling);
  }
  // While one thread has no core, all others of its team wait for it, sooner or later.
  double lost_for_cores() const {
    return std::min(static_cast<double>(summary_.core_ns) * summary_.team, lost_in_regions());
  }
  double lost_in_locks() const {
    double lost = 0;
    for (const TracedThread& thread : summary_.threads)
      lost += static_cast<double>(thread.ns[static_cast<size_t>(Doing::kLock)]);
    return std::min(lost, lost_in_regions());
  }
  // The part of such a loss that neither cores nor locks explain.
  double unexplained(uint64_t lost) const {
    if (lost_in_regions() == 0) return 0;
    const double explained = std::min(lost_for_cores() + lost_in_locks(), lost_in_regions());
    return static_cast<double>(lost) * (1 - explained / lost_in_regions());
  }

  // What the region's threads would wait for the one that always has the most work. Threads that lose their cores seem to
  // work for longer; not in all executions, if there are many. A thread did not work for longer than it had a core.
  double own_imbalance_of(const TracedConstruct& region) const {
    constexpr uint64_t kEnough = 10;
    if (region.judged < kEnough) return 0;
    const auto times = static_cast<double>(region.judged);
    double most = 0, sum = 0;
    for (size_t i = 0; i < region.least_by_thread.size(); ++i) {
      const double ran = static_cast<double>(summary_.threads[i].ran_ns);
      const double worked = times * static_cast<double>(region.least_by_thread[i]);
      const double at_most = ran > 0 ? std::min(worked, ran) : worked;
      most = std::max(most, at_most);
      sum += at_most;
    }
    return std::max(most * region.team - sum, 0.0);
  }

  void imbalance() {
    const auto* const region = greatest(summary_, "region", [this](const auto& one) {
      return is_busy_ ? own_imbalance_of(one) : static_cast<double>(one.lost.imbalance);
    });
    if (region == nullptr) return;
    double own = 0;
    for (const TracedConstruct& one : summary_.constructs)
      if (one.kind == "region") own += own_imbalance_of(one);
    const auto [least, most] = std::ranges::minmax(region->by_thread);
    const std::string evidence = fmt::format(
        "Threads wait for the slowest one in the region at {}: the one with the most work has {} "
        "of it, the one with the least {}",
        region->place, time_in_words(static_cast<double>(most)),
        time_in_words(static_cast<double>(least)));
    const auto* const loop = greatest(summary_, "", [](const TracedConstruct& one) {
      return is_loop(one) ? static_cast<double>(one.lengths.sum) : 0;
    });
    std::string remedy =
        "Cut its work into smaller pieces that threads take as they come: schedule(runtime) for "
        "its loops, which vicino convert writes, or tasks";
    std::string command;
    if (loop != nullptr && loop->kind != "static loop") {
      command = run(summary_, "--schedule nich");
      if (loop->pieces.count > 0)
        remedy = fmt::format("Make the chunks smaller: the longest of the loop at {} takes {}",
                             loop->place, time_in_words(static_cast<double>(loop->pieces.most)));
    }
    add(Disease::kImbalance, share(unexplained(summary_.lost.imbalance)), own, evidence, remedy,
        command);
  }

  // What short chunks, regions and tasks do not explain is told as it is.
  void scheduling() {
    const double lost = share(unexplained(summary_.lost.scheduling));
    const auto* const region = greatest(summary_, "region", [](const auto& one) {
      return static_cast<double>(one.lost.scheduling);
    });
    if (region == nullptr) return;
    const auto* const loop = greatest(summary_, "", [](const TracedConstruct& one) {
      const bool has_chunks = is_loop(one) && one.kind != "static loop" && one.pieces.count > 0;
      return has_chunks ? static_cast<double>(one.lengths.sum) : 0;
    });
    const auto* const task = greatest(
        summary_, "task", [](const auto& one) { return static_cast<double>(one.executions); });
    // Few long pieces, whose threads lost their cores meanwhile, would spoil a mean.
    const auto typical = [this](const Lengths& lengths) {
      return is_busy_ ? lengths.quantile(0.5) : lengths.mean();
    };
    const bool has_short_chunks = loop != nullptr && typical(loop->pieces) < kShortChunkNs;
    const bool has_short_tasks = task != nullptr && task->lengths.quantile(0.5) < kShortTaskNs;
    if (has_short_tasks && (!has_short_chunks || task->executions > loop->pieces.count))
      return add(
          Disease::kShortTasks, lost,
          own_time_of(Doing::kPolling) + own_time_of(Doing::kScheduling),
          fmt::format("There are {} tasks at {}, half of them shorter than {}", task->executions,
                      task->place, time_in_words(task->lengths.quantile(0.5))),
          "Make tasks larger: a taskloop with a grainsize, or a depth from which on there "
          "are no more tasks");
    if (has_short_chunks)
      return add(Disease::kShortChunks, lost, own_time_of(Doing::kScheduling),
                 fmt::format("The loop at {} is cut into {} chunks of {}", loop->place,
                             loop->pieces.count, time_in_words(typical(loop->pieces))),
                 "Make its chunks larger, or let a schedule find their size",
                 run(summary_, "--schedule ich"));
    if (typical(region->lengths) < kShortRegionNs)
      return add(Disease::kShortRegions, lost,
                 typical(region->lengths) * static_cast<double>(region->executions) * region->team -
                     own_work_of(*region),
                 fmt::format("The region at {} takes {} and is met {} times", region->place,
                             time_in_words(typical(region->lengths)), region->executions),
                 "Put several of them into one, or let Vicino use fewer threads",
                 run(summary_, "--env OMP_DYNAMIC=true"));
    add(Disease::kScheduling, lost, 0,
        fmt::format("In the region at {} all threads wait at times, {} of their time altogether",
                    region->place, time_in_words(static_cast<double>(region->lost.scheduling))),
        "Look at that region's timeline: what all threads wait for are barriers, taskwaits or "
        "other "
        "threads' tasks");
  }

  double own_work_of(const TracedConstruct& construct) const {
    double sum = 0;
    for (size_t i = 0; i < construct.by_thread.size(); ++i)
      sum += core_shares_[i] * static_cast<double>(construct.by_thread[i]);
    return sum;
  }

  // While one thread is in a critical section, others that come there wait. On a busy machine they often do not come: they
  // have no core either.
  void locks() {
    const auto* const waited =
        greatest(summary_, "", [](const auto& one) { return static_cast<double>(one.lock_ns); });
    const auto* const critical =
        greatest(summary_, "critical", [this](const auto& one) { return own_work_of(one); });
    const double in_critical = critical != nullptr ? own_work_of(*critical) : 0;
    const double own = std::max(in_critical * summary_.team - own_work_, 0.0);
    const std::string remedy =
        "Do less while the lock is held, use a reduction or atomic operations, or several locks";
    if (is_busy_ && own > lost_in_locks())
      return add(Disease::kLock, share(lost_in_locks()), own,
                 fmt::format("{} of the work is done in the critical section at {}, by one thread "
                             "at a time",
                             percent(in_critical / own_work_), critical->place),
                 remedy);
    if (waited == nullptr) return;
    add(Disease::kLock, share(lost_in_locks()), 0,
        fmt::format("Threads wait {} for each other at {}", time_in_words(lost_in_locks()),
                    waited->place),
        remedy);
  }

  const Summary& summary_;
  const double all_;
  std::vector<double> core_shares_;  // of each thread
  double own_work_ = 0;              // all useful work, as long as threads had cores
  bool is_busy_ = false;             // other programs take much
  std::vector<Diagnosis> found_;
};

}  // namespace

std::string_view word_of(Disease disease) {
  constexpr std::string_view kWords[] = {
      "serial",      "imbalance", "scheduling", "short chunks", "short regions",
      "short tasks", "lock",      "crowd",      "others",       "communication"};
  return kWords[static_cast<size_t>(disease)];
}

std::string in_words(const Diagnosis& one) {
  return percent(one.shown_share()) +
         (one.alone > 0 ? " of what it would take without other programs" : " of all thread time");
}

std::vector<Diagnosis> diagnose(const Summary& summary) { return Doctor(summary).look(); }

std::vector<std::string> verdict_of(const Summary& summary, const std::vector<Diagnosis>& found) {
  const Efficiency efficiency = summary.lost.efficiency();
  std::vector<std::string> sentences;
  sentences.push_back(
      fmt::format("In {} the {} worked for the program in {} of their time (balance {}, scheduling "
                  "{}, serialization {}).",
                  time_in_words(summary.seconds() * 1e9), several(summary.team, "thread"),
                  percent(efficiency.parallel), percent(efficiency.load_balance),
                  percent(efficiency.scheduling), percent(efficiency.serialization)));
  if (found.empty()) {
    sentences.push_back("Nothing stands out: no single cause takes a tenth of the threads' time.");
    return sentences;
  }
  sentences.push_back(fmt::format("{}: {}.", found[0].evidence, in_words(found[0])));
  sentences.push_back(found[0].remedy + (found[0].command.empty() ? "." : ": " + found[0].command));
  return sentences;
}

std::string time_in_words(double ns) { return tune::in_words(ns); }

std::string percent(double share) { return fmt::format("{:.0f} %", share * 100); }

std::string memory_in_words(const Summary& summary) {
  const TracedMemory& memory = summary.memory;
  const auto all = static_cast<double>(memory.all());
  if (all == 0) return {};
  const bool is_at_end = memory.ns >= summary.end - summary.begin;
  std::string text = fmt::format(
      "{:.3g} MiB of memory at the most, {}: ", all / (1 << 20),
      is_at_end ? "at the end" : "after " + time_in_words(static_cast<double>(memory.ns)));
  // By the node's number: "node 10" is behind "node 2".
  std::vector<std::pair<std::string, uint64_t>> nodes(memory.bytes.begin(), memory.bytes.end());
  std::ranges::stable_sort(nodes, {}, [](const auto& node) { return node.first.size(); });
  std::string_view separator;
  for (const auto& [node, bytes] : nodes) {
    const double share = static_cast<double>(bytes) / all;
    if (share < 0.005) continue;  // it would be 0 %
    text += fmt::format("{}{:.0f} % on {}", separator, 100 * share, node);
    separator = ", ";
  }
  std::set<std::string_view> of_threads;
  for (const TracedThread& thread : summary.threads) of_threads.insert(thread.node);
  of_threads.erase("");
  if (of_threads.size() == 1) return text + fmt::format("; threads on {}", *of_threads.begin());
  return text + fmt::format("; threads on {} nodes", of_threads.size());
}

}  // namespace vicino::cli
