#include "packets.hpp"

namespace vicino::trace {
namespace {

// Fields of the messages, by message.
namespace packet {
constexpr int kClockSnapshot = 6, kTimestamp = 8, kSequence = 10, kEvent = 11, kInterned = 12,
              kFlags = 13, kClock = 58, kDefaults = 59, kTrack = 60;
constexpr uint32_t kCleared = 1, kNeedsNames = 2;
}  // namespace packet
namespace event {
constexpr int kCategory = 3, kArgument = 4, kType = 9, kName = 10, kTrack = 11, kCounter = 30,
              kFlow = 47, kEndOfFlow = 48;
enum Type { kBegin = 1, kEnd = 2, kInstant = 3, kIsCounter = 4 };
}  // namespace event
namespace track {
constexpr int kUuid = 1, kName = 2, kProcess = 3, kParent = 5, kCounter = 8, kOrder = 11,
              kRank = 12;
constexpr int kExplicitOrder = 3;
}  // namespace track
namespace interned {
constexpr int kCategories = 1, kNames = 2, kArguments = 3, kFunctions = 5, kFrames = 6,
              kBuildIds = 16, kPaths = 17, kMappings = 19, kTexts = 29;
}
constexpr uint32_t kBootTime = 6;
constexpr uint32_t kOwnClock = 64;  // the first that a sequence may define for itself

}  // namespace

void Packets::process_track(uint64_t uuid, int process, const std::string& name) {
  std::string its, what;
  protozero::pbf_writer of_process(its);
  of_process.add_int32(1, process);
  of_process.add_string(6, name);
  protozero::pbf_writer of_track(what);
  of_track.add_uint64(track::kUuid, uuid);
  of_track.add_message(track::kProcess, its);
  of_track.add_enum(track::kOrder, track::kExplicitOrder);
  add([&](protozero::pbf_writer& to) { to.add_message(packet::kTrack, what); });
}

void Packets::track(uint64_t uuid, uint64_t parent, const std::string& name, int rank) {
  std::string what;
  protozero::pbf_writer of_track(what);
  of_track.add_uint64(track::kUuid, uuid);
  of_track.add_string(track::kName, name);
  of_track.add_uint64(track::kParent, parent);
  of_track.add_enum(track::kOrder, track::kExplicitOrder);
  of_track.add_int32(track::kRank, rank);
  add([&](protozero::pbf_writer& to) { to.add_message(packet::kTrack, what); });
}

void Packets::counter_track(uint64_t uuid, uint64_t parent, const std::string& name) {
  std::string what;
  protozero::pbf_writer of_track(what);
  of_track.add_uint64(track::kUuid, uuid);
  of_track.add_string(track::kName, name);
  of_track.add_uint64(track::kParent, parent);
  of_track.add_message(track::kCounter, std::string());
  add([&](protozero::pbf_writer& to) { to.add_message(packet::kTrack, what); });
}

void Packets::counter(uint32_t sequence, uint64_t uuid, uint64_t ns, int64_t value) {
  part_.clear();
  protozero::pbf_writer what(part_);
  what.add_enum(event::kType, event::kIsCounter);
  what.add_uint64(event::kTrack, uuid);
  what.add_int64(event::kCounter, value);
  add([&](protozero::pbf_writer& to) {
    to.add_uint64(packet::kTimestamp, ns);
    to.add_uint32(packet::kSequence, sequence);
    to.add_message(packet::kEvent, part_);
  });
}

uint64_t Sequence::Names::number_of(std::string_view name, std::string& fresh, int field) {
  const auto [entry, is_new] = numbers.try_emplace(std::string(name), numbers.size() + 1);
  if (is_new) {
    std::string what;
    protozero::pbf_writer of_name(what);
    of_name.add_uint64(1, entry->second);
    of_name.add_string(2, name.data(), name.size());
    protozero::pbf_writer(fresh).add_message(field, what);
  }
  return entry->second;
}

void Sequence::argument(std::string_view name, uint64_t value) {
  std::string what;
  protozero::pbf_writer one(what);
  one.add_uint64(1, arguments_.number_of(name, fresh_, interned::kArguments));
  one.add_uint64(3, value);
  protozero::pbf_writer(annotations_).add_message(event::kArgument, what);
}

void Sequence::argument(std::string_view name, std::string_view value) {
  std::string what;
  protozero::pbf_writer one(what);
  one.add_uint64(1, arguments_.number_of(name, fresh_, interned::kArguments));
  one.add_uint64(17, texts_.number_of(value, fresh_, interned::kTexts));
  protozero::pbf_writer(annotations_).add_message(event::kArgument, what);
}

// As a frame of Perfetto's, whose function has the name, in a mapping.
void Sequence::place(std::string_view name, std::string_view file, std::string_view build_id,
                     uint64_t address) {
  const uint64_t function = functions_.number_of(name, fresh_, interned::kFunctions);
  const auto [mapping, is_new] =
      mappings_.numbers.try_emplace(std::string(file), mappings_.numbers.size() + 1);
  std::string what;
  if (is_new) {
    protozero::pbf_writer its(what);
    its.add_uint64(1, mapping->second);
    if (!build_id.empty())
      its.add_uint64(2, build_ids_.number_of(build_id, fresh_, interned::kBuildIds));
    if (file.starts_with('/')) file.remove_prefix(1);  // a path is a list of its parts
    its.add_uint64(7, paths_.number_of(file, fresh_, interned::kPaths));
    protozero::pbf_writer(fresh_).add_message(interned::kMappings, what);
    what.clear();
  }
  protozero::pbf_writer frame(what);
  frame.add_uint64(1, function);
  frame.add_uint64(2, function);
  frame.add_uint64(3, mapping->second);
  frame.add_uint64(4, address);
  protozero::pbf_writer(fresh_).add_message(interned::kFrames, what);
}

void Sequence::begin(Packets& packets, uint64_t ns, std::string_view category,
                     std::string_view name) {
  send(packets, ns, event::kBegin, category, name);
}
void Sequence::instant(Packets& packets, uint64_t ns, std::string_view category,
                       std::string_view name) {
  send(packets, ns, event::kInstant, category, name);
}
void Sequence::end(Packets& packets, uint64_t ns) { send(packets, ns, event::kEnd, {}, {}); }

// The sequence's clock begins at this time; its packets are on its track without a word.
void Sequence::start(Packets& packets, uint64_t ns) {
  started_ = true;
  last_ns_ = ns;
  std::string clocks;
  for (const bool own : {false, true}) {
    std::string clock;
    protozero::pbf_writer of_clock(clock);
    of_clock.add_uint32(1, own ? kOwnClock : kBootTime);
    of_clock.add_uint64(2, ns);
    if (own) of_clock.add_bool(3, true);
    protozero::pbf_writer(clocks).add_message(1, clock);
  }
  std::string on_track, defaults;
  protozero::pbf_writer(on_track).add_uint64(event::kTrack, track_);
  protozero::pbf_writer of_defaults(defaults);
  of_defaults.add_message(11, on_track);
  of_defaults.add_uint32(packet::kClock, kOwnClock);
  packets.add([&](protozero::pbf_writer& to) {
    to.add_message(packet::kClockSnapshot, clocks);
    to.add_uint32(packet::kSequence, number_);
    to.add_uint32(packet::kFlags, packet::kCleared);
    to.add_message(packet::kDefaults, defaults);
  });
}

void Sequence::send(Packets& packets, uint64_t ns, int type, std::string_view category,
                    std::string_view name) {
  if (!started_) start(packets, ns);
  event_.clear();
  protozero::pbf_writer what(event_);
  if (!category.empty())
    what.add_uint64(event::kCategory,
                    categories_.number_of(category, fresh_, interned::kCategories));
  event_ += annotations_;
  what.add_enum(event::kType, type);
  if (!name.empty())
    what.add_uint64(event::kName, names_.number_of(name, fresh_, interned::kNames));
  for (const uint64_t id : flows_from_) what.add_fixed64(event::kFlow, id);
  for (const uint64_t id : flows_to_) what.add_fixed64(event::kEndOfFlow, id);
  const uint64_t passed = ns > last_ns_ ? ns - last_ns_ : 0;
  last_ns_ += passed;
  packets.add([&](protozero::pbf_writer& to) {
    to.add_uint64(packet::kTimestamp, passed);
    to.add_uint32(packet::kSequence, number_);
    to.add_message(packet::kEvent, event_);
    if (!fresh_.empty()) to.add_message(packet::kInterned, fresh_);
    to.add_uint32(packet::kFlags, packet::kNeedsNames);
  });
  annotations_.clear();
  fresh_.clear();
  flows_from_.clear();
  flows_to_.clear();
}

}  // namespace vicino::trace
