// writer.hpp: turns records into packets, and writes them.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "clock.hpp"
#include "output.hpp"
#include "packets.hpp"
#include "thread.hpp"

namespace vicino::trace {

class Writer {
 public:
  Writer(const std::string& file, long owner);

  bool ok() const noexcept { return output_.ok(); }
  const Output& output() const noexcept { return output_; }

  void add(Thread& thread);
  // Whether a thread was added whose last record is not written yet.
  bool has_threads() const noexcept { return !tracks_.empty(); }

  // Writes what the threads have recorded until now. Returns the share of its ring that the fullest thread had filled.
  double drain();
  // After the last drain: ends the spans that are open.
  void finish();
  void leave_to_parent() noexcept { output_.close(); }  // in a child of fork()
  void wait_until(uint64_t ns) noexcept { output_.wait_until(ns); }

  uint64_t events() const noexcept { return events_; }
  uint64_t dropped() const noexcept { return dropped_; }

 private:
  struct Track {
    Track(Thread& its_thread, uint32_t number, uint64_t its_uuid)
        : thread(&its_thread), sequence(number, its_uuid), uuid(its_uuid) {}
    Thread* thread;
    Sequence sequence;
    uint64_t uuid;
    bool described = false;
    std::vector<What> open;
    std::vector<uint64_t> open_tasks;  // the tasks among them
    bool at_work = false;
    bool ended = false;
    uint64_t told_dropped = 0;
    uint64_t ran_ns = 0, waited_ns = 0;  // for a core, as far as that is told
    std::vector<Record> batch;
  };
  // A task from its spawn to its end.
  struct Task {
    uint64_t place = 0;
    uint32_t spawned_by = 0;  // the number of a thread; 0: not known
    bool has_begun = false;
    std::vector<uint64_t> before, after;  // tasks that it waits for, and that wait for it
  };
  struct Change {
    uint64_t ns;
    int at_work, tasks;
  };

  void describe(Track& track);
  void take_batches(uint64_t until);
  void note_task(const Track& track, const Record& record);
  void write(Track& track, const Record& record);
  void write_end(Track& track, const Record& record, uint64_t ns);
  void release_successors(Track& track, uint64_t task, uint64_t ns);
  void begin_task(Track& track, uint64_t task, uint64_t ns);
  void discard(uint64_t id, uint64_t ns);
  void add_arguments(Track& track, const Record& record);
  void note_work(Track& track, uint64_t ns);
  void write_counters();
  void tell_dropped(Track& track, uint64_t ns);
  void tell_of_cores(uint64_t ns);
  void tell_of_memory(uint64_t ns);
  void end_open_spans();
  void tell_full();
  void remove_ended();
  void flush();
  void tell_place(Track& track, const Record& record);
  const std::string& place_of(uint64_t address);
  const std::string& name_of(What what, uint64_t address);
  uint64_t group_of(const Thread& thread);

  Output output_;
  Converter clock_;
  Packets packets_;
  std::vector<std::unique_ptr<Track>> tracks_;
  std::unordered_map<uint64_t, std::string> places_;
  std::unordered_set<uint64_t> told_places_;
  std::unordered_map<uint64_t, std::string> names_;
  std::unordered_map<uint64_t, Task> live_;
  std::unordered_map<uint64_t, uint64_t> groups_;  // package, or package and node -> track
  std::vector<Change> changes_;
  int64_t at_work_ = 0, waiting_tasks_ = 0;
  uint64_t counted_at_ = 0;
  uint32_t next_sequence_ = 1;
  uint64_t next_track_ = 1;
  uint64_t process_track_ = 0, work_track_ = 0, task_track_ = 0;
  uint64_t events_ = 0, dropped_ = 0;
  uint64_t cores_told_at_ = 0;
  uint64_t began_ = 0, memory_next_ = 0;
  bool has_nodes_ = false;
  bool is_full_ = false;
};

}  // namespace vicino::trace
