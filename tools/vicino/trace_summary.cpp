#include "trace_summary.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <unordered_map>
#include <utility>

namespace vicino::cli {
namespace {

// A span that is open. `useful` and `locks`: what has been done within it so far.
struct Open {
  std::string kind;
  size_t construct;  // kNone: none
  uint64_t begin;
  uint64_t useful;
  bool is_wait;
  bool is_part = false;  // of the construct, whose execution is another thread's span
  bool communicates = false;
};
constexpr size_t kNone = SIZE_MAX;
constexpr std::string_view kCommunication = "mpi";

// What a thread did from the moment at which it had nothing open until it has nothing open again.
struct Stretch {
  size_t thread;
  uint64_t begin, end, useful;
};
struct Region {
  size_t thread, construct;
  uint64_t begin, end;
  int team = 1;
};

struct ThreadState {
  size_t index = 0;
  bool is_initial = false;
  uint64_t last = 0;  // up to which its time is counted
  std::vector<Open> open;
};

struct Named {
  std::string_view kind, place;
};

// "dynamic loop solve()+0x1c" is a dynamic loop at this place, which is an argument, too; a task has it in its name alone.
Named named(const TraceEvent& event) {
  constexpr std::string_view kTask = "task ";
  if (event.category == "program") return {"named", event.name};
  if (event.category == "task" && event.name.starts_with(kTask))
    return {"task", event.name.substr(kTask.size())};
  const std::string_view place = event.text("at");
  std::string_view kind = event.name;
  if (kind.ends_with(place)) kind.remove_suffix(place.size());
  while (kind.ends_with(' ')) kind.remove_suffix(1);
  return {kind, place};
}

class Collector {
 public:
  // Where chunks were dropped, the time between those that are left is not known to be lost.
  explicit Collector(bool lacks_chunks) noexcept : lacks_chunks_(lacks_chunks) {}
  void see(const TraceEvent& event);
  Summary finish(TraceFile file);
  uint64_t dropped() const noexcept { return summary_.dropped; }

 private:
  ThreadState& thread_of(const TraceEvent& event);
  void begin(ThreadState& thread, const TraceEvent& event);
  void end(ThreadState& thread, uint64_t ns);
  void instant(ThreadState& thread, const TraceEvent& event);
  void of_trace(const TraceEvent& event);
  void count_until(ThreadState& thread, uint64_t ns);
  Doing doing(const ThreadState& thread) const;
  uint64_t since_begin(uint64_t ns) const { return ns - std::min(ns, summary_.begin); }
  size_t construct_of(std::string_view kind, std::string_view place);
  void add_to_timeline(size_t thread, Doing doing, uint64_t from, uint64_t to);
  void widen_timeline(uint64_t ns);
  void judge_regions();
  void name_threads();

  Summary summary_;
  std::unordered_map<uint64_t, ThreadState> threads_;
  std::map<std::pair<std::string, std::string>, size_t, std::less<>> constructs_;
  std::unordered_map<uint64_t, size_t> members_;  // of the last region's team, by number
  std::vector<Region> regions_;
  std::vector<Stretch> stretches_;
  uint64_t part_ns_ = 1'000;  // of the timeline
  const bool lacks_chunks_;
};

void Collector::see(const TraceEvent& event) {
  if (event.category == "trace") return of_trace(event);
  ++summary_.events;
  if (summary_.begin == 0) summary_.begin = event.ns;
  ThreadState& thread = thread_of(event);
  const uint64_t ns = std::max(event.ns, thread.last);  // only a damaged trace goes back in time
  summary_.end = std::max(summary_.end, ns);
  count_until(thread, ns);
  switch (event.type) {
    case TraceEvent::Type::kBegin:
      return begin(thread, event);
    case TraceEvent::Type::kEnd:
      return end(thread, ns);
    case TraceEvent::Type::kInstant:
      return instant(thread, event);
  }
}

ThreadState& Collector::thread_of(const TraceEvent& event) {
  const auto [entry, is_new] = threads_.try_emplace(event.track);
  if (is_new) {
    entry->second.index = summary_.threads.size();
    entry->second.is_initial = !event.by_worker;
    entry->second.last = std::max(event.ns, summary_.begin);
    summary_.threads.push_back({.track = event.track, .name = {}, .node = {}, .package = {}});
    summary_.timeline.emplace_back();
  }
  return entry->second;
}

Doing Collector::doing(const ThreadState& thread) const {
  if (thread.open.empty()) return thread.is_initial ? Doing::kSerial : Doing::kNothing;
  const std::string& kind = thread.open.back().kind;
  if (kind == "asleep") {
    const bool in_lock =
        thread.open.size() > 1 && thread.open[thread.open.size() - 2].kind.starts_with("waits for");
    return in_lock ? Doing::kLock : thread.open.size() > 1 ? Doing::kAsleep : Doing::kNothing;
  }
  if (kind.starts_with("waits for")) return Doing::kLock;
  if (thread.open.back().is_wait) return Doing::kPolling;
  if (kind == "region" || kind == "reduction") return Doing::kScheduling;  // most of it is waiting
  const bool has_chunks = kind == "dynamic loop" || kind == "guided loop" || kind == "loop";
  const bool has_pieces = has_chunks || kind == "taskloop" || kind == "crew" || kind == "graph";
  if (has_pieces && !lacks_chunks_) return Doing::kScheduling;
  return Doing::kUseful;
}

void Collector::count_until(ThreadState& thread, uint64_t ns) {
  if (ns <= thread.last) return;
  const Doing what = doing(thread);
  const uint64_t passed = ns - thread.last;
  summary_.threads[thread.index].ns[static_cast<size_t>(what)] += passed;
  if (thread.is_initial && thread.open.size() == 1 && thread.open.back().communicates)
    summary_.communication_ns += passed;
  add_to_timeline(thread.index, what, thread.last, ns);
  if (what == Doing::kUseful) {
    for (Open& open : thread.open) open.useful += passed;
    for (auto open = thread.open.rbegin(); open != thread.open.rend(); ++open) {
      if (open->construct == kNone) continue;
      auto& by_thread = summary_.constructs[open->construct].by_thread;
      if (by_thread.size() <= thread.index) by_thread.resize(thread.index + 1);
      by_thread[thread.index] += passed;
    }
  } else if (what == Doing::kLock) {
    for (auto open = thread.open.rbegin(); open != thread.open.rend(); ++open) {
      if (!open->kind.starts_with("waits for")) continue;
      if (open->construct != kNone) summary_.constructs[open->construct].lock_ns += passed;
      break;
    }
  }
  thread.last = ns;
}

size_t Collector::construct_of(std::string_view kind, std::string_view place) {
  const auto key = std::make_pair(std::string(kind), std::string(place));
  const auto [entry, is_new] = constructs_.try_emplace(key, summary_.constructs.size());
  if (is_new) {
    TracedConstruct construct;
    construct.kind = kind;
    construct.place = place;
    summary_.constructs.push_back(std::move(construct));
  }
  return entry->second;
}

void Collector::begin(ThreadState& thread, const TraceEvent& event) {
  const auto [kind, place] = named(event);
  Open open{std::string(kind), kNone, thread.last, 0,
            event.category == "wait" || event.category == kCommunication};
  open.communicates = event.category == kCommunication;
  const bool is_piece = kind == "chunk" || kind == "section" || kind == "part" || kind == "asleep";
  if (!is_piece) open.construct = construct_of(kind, place);
  if (kind == "part") {
    const auto team = static_cast<int>(event.number("team"));
    summary_.team = std::max(summary_.team, team);
    const size_t index = construct_of("region", place);
    summary_.constructs[index].team = std::max(summary_.constructs[index].team, team);
    // The thread that began the region has it open already.
    open.is_part = true;
    members_[event.number("number")] = thread.index;
    if (thread.open.empty() || thread.open.back().construct != index) open.construct = index;
  }
  if (kind == "task") ++summary_.threads[thread.index].tasks;
  if (kind == "chunk") ++summary_.threads[thread.index].chunks;
  thread.open.push_back(std::move(open));
}

void Collector::end(ThreadState& thread, uint64_t ns) {
  if (thread.open.empty()) return;
  const Open open = std::move(thread.open.back());
  thread.open.pop_back();
  const uint64_t length = ns - open.begin;
  if (open.construct != kNone && !open.is_part) {
    TracedConstruct& construct = summary_.constructs[open.construct];
    ++construct.executions;
    construct.lengths.add(length);
  } else if (open.kind == "chunk" && !thread.open.empty() &&
             thread.open.back().construct != kNone) {
    summary_.constructs[thread.open.back().construct].pieces.add(length);
  }
  const bool is_outermost =
      std::ranges::none_of(thread.open, [](const Open& one) { return one.kind == "region"; });
  if (open.kind == "region" && is_outermost)
    regions_.push_back({thread.index, open.construct, open.begin, ns});
  if (thread.open.empty() && open.useful > 0)
    stretches_.push_back({thread.index, open.begin, ns, open.useful});
}

// What the writer adds, perhaps when the program is over.
void Collector::of_trace(const TraceEvent& event) {
  const auto thread = threads_.find(event.track);
  if (event.name == "events were dropped") summary_.dropped += event.number("events");
  if (event.name == "the file is full") summary_.is_full = true;
  if (event.name == "machine") {
    summary_.cpus = static_cast<int>(event.number("CPUs allowed"));
    summary_.begin = event.ns - std::min(event.ns, event.number("ms before") * 1'000'000);
    thread_of(event).last = summary_.begin;  // what the program did before it used OpenMP
  }
  if (event.name == "memory") {
    TracedMemory now{.ns = since_begin(event.ns), .bytes = {}};
    for (const TraceArgument& one : event.arguments) now.bytes[std::string(one.name)] = one.number;
    if (now.all() > summary_.memory.all()) summary_.memory = std::move(now);
  }
  if (event.name == "exit") summary_.end = std::max(summary_.end, event.ns);
  if (event.name != "core" || thread == threads_.end()) return;
  summary_.threads[thread->second.index].core_ns += event.number("waited for");
  summary_.threads[thread->second.index].ran_ns += event.number("ran for");
}

void Collector::instant(ThreadState& thread, const TraceEvent& event) {
  const std::string_view kind = named(event).kind;
  if (kind == "decision")
    summary_.choices.push_back({since_begin(event.ns), std::string(event.text("at")),
                                std::string(event.text("schedule")), event.number("threads")});
  if (kind == "pages") summary_.pages.emplace_back(event.text("what"));
  if (kind == "steal") {
    const auto victim = members_.find(event.number("from thread"));
    if (victim != members_.end()) ++summary_.steals[{thread.index, victim->second}];
    ++summary_.steals_by_distance[std::string(event.text("distance"))];
  }
}

// Two parts become one when the program has run for longer than the row has room.
void Collector::widen_timeline(uint64_t ns) {
  while (since_begin(ns) / part_ns_ >= 2 * kTimelineParts) {
    part_ns_ *= 2;
    for (TimelineRow& row : summary_.timeline) {
      std::vector<Doings> wider((row.parts.size() + 1) / 2);
      for (size_t i = 0; i < row.parts.size(); ++i)
        for (size_t what = 0; what < kDoings; ++what) wider[i / 2][what] += row.parts[i][what];
      row.parts = std::move(wider);
    }
  }
}

void Collector::add_to_timeline(size_t thread, Doing doing, uint64_t from, uint64_t to) {
  widen_timeline(to);
  auto& parts = summary_.timeline[thread].parts;
  from = since_begin(from);
  to = since_begin(to);
  if (parts.size() <= to / part_ns_) parts.resize(to / part_ns_ + 1);
  for (uint64_t part = from / part_ns_; from < to; ++part) {
    const uint64_t until = std::min(to, (part + 1) * part_ns_);
    parts[part][static_cast<size_t>(doing)] += until - from;
    from = until;
  }
}

// What each thread did of each outermost region, and what was lost there.
void Collector::judge_regions() {
  std::ranges::sort(regions_, {}, &Region::begin);
  std::ranges::sort(stretches_, {}, &Stretch::begin);
  std::vector<std::vector<uint64_t>> useful(regions_.size());
  for (const Stretch& stretch : stretches_) {
    auto region = std::ranges::upper_bound(regions_, stretch.begin, {}, &Region::begin);
    if (region == regions_.begin()) continue;
    --region;
    if (stretch.begin >= region->end) continue;
    auto& by_thread = useful[static_cast<size_t>(region - regions_.begin())];
    if (by_thread.size() <= stretch.thread) by_thread.resize(stretch.thread + 1);
    by_thread[stretch.thread] += stretch.useful;
  }
  uint64_t in_regions = 0, by_threads = 0, last_end = summary_.begin;
  for (size_t i = 0; i < regions_.size(); ++i) {
    const Region& region = regions_[i];
    TracedConstruct& construct = summary_.constructs[region.construct];
    const uint64_t length = region.end - region.begin;
    in_regions += length;
    if (region.begin > last_end) construct.serial_before += region.begin - last_end;
    last_end = std::max(last_end, region.end);
    useful[i].resize(summary_.threads.size());
    if (construct.judged++ == 0) construct.least_by_thread = useful[i];
    for (size_t thread = 0; thread < useful[i].size(); ++thread)
      construct.least_by_thread[thread] =
          std::min(construct.least_by_thread[thread], useful[i][thread]);
    std::vector<uint64_t> worked;
    for (const uint64_t its : useful[i])
      if (its > 0) worked.push_back(its);
    const auto team = static_cast<size_t>(std::max(construct.team, 1));
    worked.resize(std::max(worked.size(), team));
    for (Lost* const where : {&construct.lost, &summary_.lost}) where->add_region(length, worked);
    by_threads += length * worked.size();
  }
  summary_.lost.add_rest(summary_.end - summary_.begin, in_regions, by_threads, summary_.team);
}

void Collector::name_threads() {
  std::unordered_map<uint64_t, const TraceTrack*> tracks;
  for (const TraceTrack& track : summary_.file.tracks) tracks[track.id] = &track;
  for (TracedThread& thread : summary_.threads) {
    const TraceTrack* track = tracks[thread.track];
    if (track == nullptr) continue;
    thread.name = track->name;
    if (const TraceTrack* const node = tracks[track->parent]) {
      thread.node = node->name;
      if (const TraceTrack* const package = tracks[node->parent]) thread.package = package->name;
    }
  }
}

Summary Collector::finish(TraceFile file) {
  summary_.file = std::move(file);
  // A program that ends at once may leave no event but the one that says when it began.
  summary_.end = std::max(summary_.end, summary_.begin);
  for (auto& [track, thread] : threads_) {
    count_until(thread, summary_.end);
    while (!thread.open.empty()) end(thread, summary_.end);
  }
  judge_regions();
  for (const TracedThread& thread : summary_.threads) summary_.core_ns += thread.core_ns;
  name_threads();
  for (TracedConstruct& construct : summary_.constructs)
    construct.by_thread.resize(summary_.threads.size());
  std::erase_if(summary_.constructs,
                [](const TracedConstruct& one) { return one.executions == 0; });
  std::ranges::stable_sort(summary_.constructs, std::greater(),
                           [](const TracedConstruct& one) { return one.lengths.sum; });
  size_t parts = 0;
  for (const TimelineRow& row : summary_.timeline) parts = std::max(parts, row.parts.size());
  for (TimelineRow& row : summary_.timeline) row.parts.resize(parts);
  return std::move(summary_);
}

}  // namespace

void Lengths::add(uint64_t ns) noexcept {
  ++count;
  sum += ns;
  least = std::min(least, ns);
  most = std::max(most, ns);
  ++by_power[std::min<size_t>(static_cast<size_t>(std::bit_width(ns)), by_power.size() - 1)];
}

double Lengths::quantile(double share) const noexcept {
  const double wanted = share * static_cast<double>(count);
  double seen = 0;
  for (size_t i = 0; i < by_power.size(); ++i) {
    const auto its = static_cast<double>(by_power[i]);
    if (seen + its >= wanted && its > 0) {
      const double low = i == 0 ? 0 : static_cast<double>(uint64_t{1} << (i - 1));
      const double at = low + (wanted - seen) / its * (i == 0 ? 1 : low);
      return std::clamp(at, static_cast<double>(least), static_cast<double>(most));
    }
    seen += its;
  }
  return static_cast<double>(most);
}

Summary summary_of(const std::string& path) {
  std::optional<Collector> collector(std::in_place, false);
  const auto see = [&](const TraceEvent& event) { collector->see(event); };
  TraceFile file = read_trace(path, see);
  if (collector->dropped() > 0) {
    collector.emplace(true);
    file = read_trace(path, see);
  }
  return collector->finish(std::move(file));
}

void name_lines(Summary& summary, std::optional<std::chrono::system_clock::time_point> ran) {
  std::vector<std::string_view> names;
  std::vector<CodePlace> places;
  for (const auto& [name, place] : summary.file.places) {
    if (place.file.empty()) continue;
    names.push_back(name);
    places.push_back(place);
  }
  const std::vector<std::string> found = source_lines(places, ran);
  std::map<std::string_view, std::string_view> lines;
  for (size_t i = 0; i < names.size(); ++i)
    if (!found[i].empty()) lines[names[i]] = found[i];
  for (TracedConstruct& one : summary.constructs) {
    if (one.kind == "named") continue;
    if (const auto line = lines.find(one.place); line != lines.end())
      one.code = std::exchange(one.place, std::string(line->second));
  }
  for (TracedChoice& one : summary.choices)
    if (const auto line = lines.find(one.place); line != lines.end()) one.place = line->second;
}

uint64_t TracedMemory::all() const noexcept {
  uint64_t sum = 0;
  for (const auto& [node, its] : bytes) sum += its;
  return sum;
}

}  // namespace vicino::cli
