#include "writer.hpp"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>

#include "base/file.hpp"
#include "memory.hpp"
#include "site/code.hpp"
#include "topo/distance.hpp"
#include "topo/pages.hpp"

namespace vicino::trace {
namespace {

// A viewer in a browser has to hold all of the file, several times as large.
constexpr uint64_t kMostBytes = uint64_t{1} << 30;
// Tasks whose end was not seen, since the record was dropped, are forgotten at last.
constexpr size_t kMostLiveTasks = 1 << 20;
// Counters change with each task; a line of more points could not be seen.
constexpr uint64_t kCounterNs = 10'000;

constexpr uint32_t kComplete = 1, kCancelled = 3;  // OMPT's task status

// The address of the text that is the event's name; 0: the table has the name.
uint64_t own_name_of(const Record& record) {
  if (record.what == What::kNamed) return record.first;
  return record.what == What::kCommunication ? record.second : 0;
}

// How often the kernel is asked about each thread: it takes some microseconds.
constexpr uint64_t kCoreNs = 50'000'000;

// Where memory lies is looked at each time that the program has run for a quarter longer, so for some 40 times in an hour, and
// not so often that it would take more than a hundredth of this thread's time.
constexpr uint64_t kFirstMemoryNs = 50'000'000;
constexpr uint64_t kMemoryRest = 100;
constexpr size_t kMostMappings = 16 << 20;  // bytes of the kernel's list

// The arrow from a task to one that waits for it.
uint64_t flow_between(uint64_t from, uint64_t to) { return from * 0x9E3779B97F4A7C15u ^ to; }

int package_of(uint32_t cpu) {
  const std::string text = read_file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                                     "/topology/physical_package_id");
  return text.empty() ? 0 : std::max(atoi(text.c_str()), 0);
}

// Of which byte's line the place is. gcc gives the call that begins a region no line, so it has the one of what was before; the
// region's function has the right one. A return address is behind the call, where the next line may be.
uint64_t code_of(const Record& record) {
  const auto symbol_at = [](uint64_t address) {
    return site::locate({reinterpret_cast<const void*>(address), nullptr}).symbol;
  };
  if (record.what == What::kRegion && record.third != 0) {
    const uint64_t function =
        record.first + static_cast<uint64_t>(static_cast<int32_t>(record.third));
    if (symbol_at(function).find("._omp_fn.") != std::string::npos) return function;
  }
  if (record.what == What::kAggregate) return record.first;
  const std::string its = symbol_at(record.first);
  // A region of gcc's that is one loop or its sections: its place is the function itself.
  const bool is_function =
      its.find("._omp_fn.") != std::string::npos && its != symbol_at(record.first - 1);
  return is_function ? record.first : record.first - 1;
}

bool is_task(What what) { return what == What::kTask || what == What::kAggregate; }
uint64_t task_of(const Record& record) {
  return record.what == What::kTask ? record.first : record.second;
}

}  // namespace

Writer::Writer(const std::string& file, long owner) : output_(file, owner) {
  if (!output_.ok()) return;
  process_track_ = next_track_++;
  work_track_ = next_track_++;
  task_track_ = next_track_++;
  ++next_sequence_;  // the first is that of tracks and counters
  packets_.process_track(process_track_, getpid(), program_invocation_short_name);
  packets_.counter_track(work_track_, process_track_, "threads at work");
  packets_.counter_track(task_track_, process_track_, "tasks waiting");
  clock_.look();
  has_nodes_ = topo::may_have_memory_nodes();
  began_ = clock_.ns(ticks());
  memory_next_ = began_ + kFirstMemoryNs;
}

void Writer::add(Thread& thread) {
  tracks_.push_back(std::make_unique<Track>(thread, next_sequence_++, next_track_++));
}

double Writer::drain() {
  // A record that is older than this moment, and what has led to it, has been put by now.
  const uint64_t until = ticks();
  clock_.look();
  take_batches(until);
  size_t most = 0;
  for (auto& track : tracks_)
    for (const Record& record : track->batch) note_task(*track, record);
  for (auto& track : tracks_) {
    most = std::max(most, track->batch.size());
    for (const Record& record : track->batch) write(*track, record);
    tell_dropped(*track, clock_.ns(until));
    if (packets_.bytes().size() > 1 << 20) flush();
  }
  if (clock_.ns(until) > cores_told_at_ + kCoreNs) tell_of_cores(clock_.ns(until));
  if (clock_.ns(until) > memory_next_) tell_of_memory(clock_.ns(until));
  write_counters();
  flush();
  remove_ended();
  return static_cast<double>(most) / static_cast<double>(kRecords);
}

void Writer::take_batches(uint64_t until) {
  for (auto& track : tracks_) {
    track->batch.clear();
    track->thread->ring.take([&](const Record& record) {
      if (record.ticks > until) return false;
      track->batch.push_back(record);
      return true;
    });
  }
}

// What is needed of a task wherever it is met; so it is noted before any thread's records are written.
void Writer::note_task(const Track& track, const Record& record) {
  if (live_.size() > kMostLiveTasks) live_.clear();
  if (record.what == What::kSpawn) {
    Task& task = live_[record.second];
    task.place = record.first;
    task.spawned_by = track.thread->number;
  } else if (record.what == What::kAfter) {
    live_[record.first].after.push_back(record.second);
    live_[record.second].before.push_back(record.first);
  }
}

void Writer::write(Track& track, const Record& record) {
  if (is_full_) {
    ++dropped_;
    return;
  }
  ++events_;
  if (!track.described) describe(track);
  const uint64_t ns = clock_.ns(record.ticks);
  if (record.what == What::kEnd) return write_end(track, record, ns);
  const Row& row = row_of(record.what);
  uint64_t place = row.fields[0].unit == Unit::kPlace ? record.first : 0;
  add_arguments(track, record);
  if (is_task(record.what)) {
    begin_task(track, task_of(record), ns);
    if (const auto task = live_.find(task_of(record)); task != live_.end() && place == 0)
      place = task->second.place;
  }
  if (record.what == What::kSpawn) {
    track.sequence.flow_from(record.second);
    changes_.push_back({ns, 0, 1});
  }
  if (record.what == What::kCancel) discard(record.second, ns);
  const uint64_t own_name = own_name_of(record);
  const std::string_view name = own_name != 0
                                    ? std::string_view(reinterpret_cast<const char*>(own_name))
                                    : name_of(record.what, place);
  if (row.kind == Kind::kInstant) return track.sequence.instant(packets_, ns, row.category, name);
  track.sequence.begin(packets_, ns, row.category, name);
  track.open.push_back(record.what);
  if (is_task(record.what)) track.open_tasks.push_back(task_of(record));
  note_work(track, ns);
}

void Writer::begin_task(Track& track, uint64_t id, uint64_t ns) {
  const auto found = live_.find(id);
  if (found == live_.end()) return;
  Task& task = found->second;
  if (task.spawned_by != 0) track.sequence.argument("spawned by", task.spawned_by);
  if (std::exchange(task.has_begun, true)) return;
  if (task.spawned_by != 0) {  // aggregates are not
    changes_.push_back({ns, 0, -1});
    track.sequence.flow_to(id);
  }
  for (const uint64_t before : task.before) track.sequence.flow_to(flow_between(before, id));
}

void Writer::discard(uint64_t id, uint64_t ns) {
  const auto task = live_.find(id);
  if (task == live_.end()) return;
  if (!task->second.has_begun && task->second.spawned_by != 0) changes_.push_back({ns, 0, -1});
  live_.erase(task);
}

void Writer::write_end(Track& track, const Record& record, uint64_t ns) {
  if (track.open.empty()) return;
  const What what = track.open.back();
  if (is_task(what) && !track.open_tasks.empty()) {
    if (record.third == kComplete || record.third == kCancelled)
      release_successors(track, track.open_tasks.back(), ns);
    track.open_tasks.pop_back();
  }
  if (what == What::kCommunication) track.sequence.argument("bytes", record.third);
  track.sequence.end(packets_, ns);
  track.open.pop_back();
  note_work(track, ns);
}

void Writer::release_successors(Track& track, uint64_t id, uint64_t ns) {
  const auto task = live_.find(id);
  if (task == live_.end()) return;
  if (!task->second.after.empty()) {
    for (const uint64_t after : task->second.after)
      track.sequence.flow_from(flow_between(id, after));
    track.sequence.instant(packets_, ns, "task", "release");
  }
  live_.erase(task);
}

void Writer::add_arguments(Track& track, const Record& record) {
  const uint64_t values[] = {record.first, record.second, record.third};
  for (size_t i = 0; i < 3; ++i) {
    const Field& field = row_of(record.what).fields[i];
    if (field.unit == Unit::kNone) break;
    if (field.unit == Unit::kPlace) {
      if (values[i] == 0) continue;
      tell_place(track, record);
      track.sequence.argument(field.name, place_of(values[i]));
    } else if (field.unit == Unit::kText) {
      if (values[i] != own_name_of(record))
        track.sequence.argument(field.name, reinterpret_cast<const char*>(values[i]));
    } else if (field.unit == Unit::kLevel) {
      const size_t level = std::min(values[i], topo::kDistanceNames.size() - 1);
      track.sequence.argument(field.name, topo::kDistanceNames[level]);
    } else if (field.unit == Unit::kDomain) {
      if (static_cast<int32_t>(record.third) >= 0) track.sequence.argument(field.name, values[i]);
    } else {
      track.sequence.argument(field.name, values[i]);
    }
  }
}

void Writer::note_work(Track& track, uint64_t ns) {
  const bool is_at_work =
      track.open.empty() ? track.thread->is_initial : !row_of(track.open.back()).waits;
  if (is_at_work != track.at_work) changes_.push_back({ns, is_at_work ? 1 : -1, 0});
  track.at_work = is_at_work;
}

void Writer::write_counters() {
  std::ranges::stable_sort(changes_, {}, &Change::ns);
  for (size_t i = 0; i < changes_.size(); ++i) {
    const Change& change = changes_[i];
    at_work_ += change.at_work;
    waiting_tasks_ += change.tasks;
    const bool is_last = i + 1 == changes_.size();
    if (!is_last && changes_[i + 1].ns < counted_at_ + kCounterNs) continue;
    counted_at_ = std::max(change.ns, counted_at_);
    packets_.counter(1, work_track_, counted_at_, at_work_);
    packets_.counter(1, task_track_, counted_at_, waiting_tasks_);
  }
  changes_.clear();
}

void Writer::describe(Track& track) {
  track.described = true;
  const Thread& thread = *track.thread;
  const uint32_t cpu = thread.cpu.load(std::memory_order_relaxed);
  std::string name = thread.is_initial ? "thread " : "worker ";
  name += std::to_string(thread.number) + " (" + std::to_string(thread.tid) + "), CPU " +
          std::to_string(cpu);
  packets_.track(track.uuid, group_of(thread), name, static_cast<int>(thread.number));
  note_work(track, counted_at_);
}

// The track of the node, in that of its package.
uint64_t Writer::group_of(const Thread& thread) {
  const int package = package_of(thread.cpu.load(std::memory_order_relaxed));
  const uint32_t node = thread.node.load(std::memory_order_relaxed);
  uint64_t& of_package = groups_[static_cast<uint64_t>(package)];
  if (of_package == 0) {
    of_package = next_track_++;
    packets_.track(of_package, process_track_, "package " + std::to_string(package), package);
  }
  const uint64_t parent = of_package;
  uint64_t& of_node = groups_[(uint64_t{node + 1} << 32) | static_cast<uint64_t>(package)];
  if (of_node == 0) {
    of_node = next_track_++;
    packets_.track(of_node, parent, "node " + std::to_string(node), static_cast<int>(node));
  }
  return of_node;
}

void Writer::tell_dropped(Track& track, uint64_t ns) {
  const uint64_t all = track.thread->ring.dropped();
  const uint64_t fresh = all - std::exchange(track.told_dropped, all);
  dropped_ += fresh;
  if (fresh == 0 || is_full_) return;
  // A thread's first records may all be younger than this drain's moment, and yet too many.
  if (!track.described) describe(track);
  track.sequence.argument("events", fresh);
  track.sequence.instant(packets_, ns, "trace", "events were dropped");
}

// How long each thread ran, and was ready but had no core: the kernel counts it.
void Writer::tell_of_cores(uint64_t ns) {
  cores_told_at_ = ns;
  for (auto& track : tracks_) {
    if (!track->described || is_full_) continue;
    const std::string text =
        read_file("/proc/self/task/" + std::to_string(track->thread->tid) + "/schedstat");
    unsigned long long ran = 0, waited = 0;
    if (sscanf(text.c_str(), "%llu %llu", &ran, &waited) != 2) continue;
    track->sequence.argument("waited for", waited - std::exchange(track->waited_ns, waited));
    track->sequence.argument("ran for", ran - std::exchange(track->ran_ns, ran));
    track->sequence.instant(packets_, ns, "trace", "core");
  }
}

// By the first thread that is there.
void Writer::tell_of_memory(uint64_t ns) {
  const auto track = std::ranges::find_if(tracks_, [](const auto& one) { return one->described; });
  if (!has_nodes_ || is_full_ || track == tracks_.end()) return;
  const uint64_t before = ticks();
  const BytesByNode memory = bytes_by_node(read_file("/proc/self/numa_maps", kMostMappings));
  clock_.look();
  const uint64_t took = clock_.ns(ticks()) - clock_.ns(before);
  memory_next_ = std::max(ns + (ns - began_) / 4, ns + kMemoryRest * took);
  if (memory.empty()) return;
  for (const auto& [node, bytes] : memory)
    (*track)->sequence.argument("node " + std::to_string(node), bytes);
  (*track)->sequence.instant(packets_, ns, "trace", "memory");
}

void Writer::flush() {
  if (!is_full_ && !output_.write(packets_.bytes())) is_full_ = true;
  packets_.clear();
  if (is_full_ || output_.written() < kMostBytes) return;
  end_open_spans();
  tell_full();
  output_.write(packets_.bytes());
  packets_.clear();
  is_full_ = true;
}

// By the first thread that is there.
void Writer::tell_full() {
  const auto track = std::ranges::find_if(tracks_, [](const auto& one) { return one->described; });
  if (track != tracks_.end())
    (*track)->sequence.instant(packets_, clock_.ns(ticks()), "trace", "the file is full");
}

void Writer::end_open_spans() {
  const uint64_t now = clock_.ns(ticks());
  for (auto& track : tracks_)
    for (; !track->open.empty(); track->open.pop_back()) track->sequence.end(packets_, now);
}

void Writer::finish() {
  tell_of_cores(clock_.ns(ticks()));
  tell_of_memory(clock_.ns(ticks()));
  end_open_spans();
  flush();
}

// What a thread has put before it ended was taken by this drain or is taken by the next.
void Writer::remove_ended() {
  std::erase_if(tracks_, [&](const std::unique_ptr<Track>& track) {
    if (!track->ended) {
      track->ended = track->thread->has_ended.load(std::memory_order_acquire);
      return false;
    }
    if (!track->batch.empty()) return false;
    if (track->at_work) changes_.push_back({counted_at_, -1, 0});
    delete track->thread;
    return true;
  });
}

// So that `vicino report` can look for the line of source: reading debug information here would take the program's time.
void Writer::tell_place(Track& track, const Record& record) {
  // A region is what tells its function; its parts and what was decided for it may be written before.
  if (record.what == What::kPart || record.what == What::kDecision) return;
  if (!told_places_.insert(record.first).second) return;
  const site::CodeObject object = site::object_at(reinterpret_cast<const void*>(record.first));
  if (object.path.empty()) return;
  const std::string path = site::name_of(object);
  char real[PATH_MAX];  // the program may have gone to another folder meanwhile
  track.sequence.place(place_of(record.first),
                       realpath(path.c_str(), real) != nullptr ? real : path, object.build_id,
                       code_of(record) - object.moved_by);
}

const std::string& Writer::place_of(uint64_t address) {
  std::string& text = places_[address];
  if (text.empty()) text = site::describe({reinterpret_cast<const void*>(address), nullptr});
  return text;
}

// "region solve()+0x1c".
const std::string& Writer::name_of(What what, uint64_t address) {
  std::string& name =
      names_[address * static_cast<uint64_t>(What::kCount) + static_cast<uint64_t>(what)];
  if (name.empty()) {
    name = row_of(what).name;
    if (address != 0) name += " " + place_of(address);
  }
  return name;
}

}  // namespace vicino::trace
