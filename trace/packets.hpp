// packets.hpp: the trace as Perfetto's viewer reads it: packets of a protobuf message, one behind the other.
//
// Only the fields that are used here; their numbers are those of Perfetto's perfetto_trace.proto, which keeps them.
// Each thread is a sequence of its own: its times are differences to the packet before, and names are sent once and then
// have a number, so that an event takes some 20 bytes.
#pragma once

#include <cstdint>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vicino::trace {

// What packets go into.
class Packets {
 public:
  // A track that other tracks lie in; 0 as parent: in none.
  void process_track(uint64_t uuid, int process, const std::string& name);
  void track(uint64_t uuid, uint64_t parent, const std::string& name, int rank);
  void counter_track(uint64_t uuid, uint64_t parent, const std::string& name);
  void counter(uint32_t sequence, uint64_t track, uint64_t ns, int64_t value);

  // Adds a packet whose fields `fill` writes.
  template <class Fill>
  void add(Fill&& fill) {
    body_.clear();
    protozero::pbf_writer packet(body_);
    fill(packet);
    protozero::pbf_writer(bytes_).add_message(1, body_);
  }

  const std::string& bytes() const noexcept { return bytes_; }
  void clear() noexcept { bytes_.clear(); }

 private:
  std::string bytes_, body_, part_;
};

// A thread's packets.
class Sequence {
 public:
  Sequence(uint32_t number, uint64_t track) noexcept : number_(number), track_(track) {}

  // One event; its arguments are added before it is sent.
  void argument(std::string_view name, uint64_t value);
  void argument(std::string_view name, std::string_view value);
  // Says where the place of this name is: in this file, whose build-id is as given, at this address as the file counts. Once is
  // enough for all sequences.
  void place(std::string_view name, std::string_view file, std::string_view build_id,
             uint64_t address);
  void flow_from(uint64_t id) { flows_from_.push_back(id); }
  void flow_to(uint64_t id) { flows_to_.push_back(id); }

  void begin(Packets& packets, uint64_t ns, std::string_view category, std::string_view name);
  void instant(Packets& packets, uint64_t ns, std::string_view category, std::string_view name);
  void end(Packets& packets, uint64_t ns);

 private:
  void send(Packets& packets, uint64_t ns, int type, std::string_view category,
            std::string_view name);
  void start(Packets& packets, uint64_t ns);

  struct Names {
    std::unordered_map<std::string, uint64_t> numbers;
    uint64_t number_of(std::string_view name, std::string& fresh, int field);
  };

  uint32_t number_;
  uint64_t track_;
  uint64_t last_ns_ = 0;
  bool started_ = false;
  Names categories_, names_, arguments_, texts_, functions_, build_ids_, paths_, mappings_;
  std::vector<uint64_t> flows_from_, flows_to_;
  std::string fresh_, annotations_, event_;
};

}  // namespace vicino::trace
