#include "trace_events.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <protozero/pbf_message.hpp>
#include <protozero/pbf_reader.hpp>

#include "say.hpp"

namespace vicino::cli {
namespace {

using protozero::pbf_reader;

// The file, which is mapped: it may be a gibibyte.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) throw cannot_read(path, errno);
    if (!S_ISREG(status.st_mode)) {
      close(file);
      throw Failure(kUsage, fmt::format("'{}' is not a plain file", path));
    }
    size_ = static_cast<size_t>(status.st_size);
    if (size_ > 0) bytes_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    const int error = errno;
    close(file);
    if (bytes_ == MAP_FAILED) throw cannot_read(path, error);
  }
  ~MappedFile() {
    if (bytes_ != nullptr) munmap(bytes_, size_);
  }
  MappedFile(const MappedFile&) = delete;
  std::string_view text() const noexcept { return {static_cast<const char*>(bytes_), size_}; }

 private:
  static Failure cannot_read(const std::string& path, int error) {
    return Failure(kUsage, fmt::format("'{}' cannot be read: {}", path, strerror(error)));
  }
  void* bytes_ = nullptr;
  size_t size_ = 0;
};

// A thread's packets: its clock, and the names that it has sent.
struct Sequence {
  enum Names { kCategories, kEvents, kArguments, kTexts, kFunctions, kBuildIds, kPaths, kNames };
  struct Mapping {
    uint64_t build_id = 0, path = 0;
  };
  uint64_t track = 0, ns = 0;
  bool is_worker = false;
  std::unordered_map<uint64_t, std::string> names[kNames];
  std::unordered_map<uint64_t, Mapping> mappings;
};

// Fields of the message that sends names.
namespace interned {
constexpr uint32_t kFrame = 6, kMapping = 19;
// By Sequence::Names.
constexpr std::array<uint32_t, Sequence::kNames> kNames = {1, 2, 3, 29, 5, 16, 17};
}  // namespace interned

class Reader {
 public:
  explicit Reader(const std::function<void(const TraceEvent&)>& see) : see_(see) {}

  void packet(pbf_reader data);
  TraceFile file;

 private:
  void track(pbf_reader data);
  void names(Sequence& sequence, pbf_reader data);
  void event(Sequence& sequence, pbf_reader data);
  void argument(const Sequence& sequence, pbf_reader data);
  void mapping(Sequence& sequence, pbf_reader data);
  void place(const Sequence& sequence, pbf_reader data);

  const std::function<void(const TraceEvent&)>& see_;
  std::unordered_map<uint32_t, Sequence> sequences_;
  TraceEvent event_;
};

void Reader::packet(pbf_reader data) {
  uint64_t time = 0;
  uint32_t number = 0;
  bool begins = false;
  pbf_reader event_data, names_data, defaults;
  while (data.next()) {
    switch (data.tag()) {
      case 6: {  // clocks: the first is the viewer's
        pbf_reader clocks = data.get_message();
        if (!clocks.next(1)) break;
        pbf_reader clock = clocks.get_message();
        if (clock.next(2)) time = clock.get_uint64();
        begins = true;
        break;
      }
      case 8:
        time = data.get_uint64();
        break;
      case 10:
        number = data.get_uint32();
        break;
      case 11:
        event_data = data.get_message();
        break;
      case 12:
        names_data = data.get_message();
        break;
      case 59:
        defaults = data.get_message();
        break;
      case 60:
        return track(data.get_message());
      default:
        data.skip();
    }
  }
  if (begins) {
    Sequence& sequence = sequences_[number] = {};
    sequence.ns = time;
    if (defaults.next(11)) {
      pbf_reader event_defaults = defaults.get_message();
      if (event_defaults.next(11)) sequence.track = event_defaults.get_uint64();
    }
    const auto its = std::ranges::find(file.tracks, sequence.track, &TraceTrack::id);
    sequence.is_worker = its != file.tracks.end() && its->name.starts_with("worker");
    return;
  }
  const auto sequence = sequences_.find(number);
  if (sequence == sequences_.end()) return;  // counters
  sequence->second.ns += time;
  names(sequence->second, names_data);
  event(sequence->second, event_data);
}

void Reader::track(pbf_reader data) {
  TraceTrack track;
  while (data.next()) {
    switch (data.tag()) {
      case 1:
        track.id = data.get_uint64();
        break;
      case 2:
        track.name = data.get_string();
        break;
      case 3: {
        pbf_reader process = data.get_message();
        if (process.next(6)) file.program = process.get_string();
        break;
      }
      case 5:
        track.parent = data.get_uint64();
        break;
      default:
        data.skip();
    }
  }
  file.tracks.push_back(std::move(track));
}

void Reader::names(Sequence& sequence, pbf_reader data) {
  while (data.next()) {
    if (data.tag() == interned::kMapping) {
      mapping(sequence, data.get_message());
      continue;
    }
    if (data.tag() == interned::kFrame) {
      place(sequence, data.get_message());
      continue;
    }
    const auto kind = std::ranges::find(interned::kNames, data.tag()) - interned::kNames.begin();
    if (kind == Sequence::kNames) {
      data.skip();
      continue;
    }
    pbf_reader entry = data.get_message();
    uint64_t number = 0;
    std::string name;
    while (entry.next()) {
      if (entry.tag() == 1)
        number = entry.get_uint64();
      else if (entry.tag() == 2)
        name = entry.get_string();
      else
        entry.skip();
    }
    sequence.names[kind][number] = std::move(name);
  }
}

namespace {

// The message's numbers, by their fields; 0: it has none.
template <size_t kCount>
std::array<uint64_t, kCount> numbers(pbf_reader data, const std::array<uint32_t, kCount>& fields) {
  std::array<uint64_t, kCount> found{};
  while (data.next()) {
    const auto field = std::ranges::find(fields, data.tag());
    if (field == fields.end())
      data.skip();
    else
      found[static_cast<size_t>(field - fields.begin())] = data.get_uint64();
  }
  return found;
}

}  // namespace

void Reader::mapping(Sequence& sequence, pbf_reader data) {
  const auto [number, build_id, path] = numbers<3>(std::move(data), {1, 2, 7});
  sequence.mappings[number] = {build_id, path};
}

void Reader::place(const Sequence& sequence, pbf_reader data) {
  const auto [name, mapping, address] = numbers<3>(std::move(data), {2, 3, 4});
  CodePlace its{.file = {}, .build_id = {}, .address = address};
  const auto text_of = [&](Sequence::Names kind, uint64_t number) {
    const auto text = sequence.names[kind].find(number);
    return text == sequence.names[kind].end() ? std::string() : text->second;
  };
  const auto known = sequence.mappings.find(mapping);
  if (known == sequence.mappings.end()) return;
  its.file = "/" + text_of(Sequence::kPaths, known->second.path);
  its.build_id = text_of(Sequence::kBuildIds, known->second.build_id);
  const auto [entry, is_new] = file.places.try_emplace(text_of(Sequence::kFunctions, name), its);
  // The same name in two libraries: which one an event means cannot be told.
  if (!is_new && entry->second != its) entry->second = {};
}

void Reader::event(Sequence& sequence, pbf_reader data) {
  event_.arguments.clear();
  event_.category = event_.name = {};
  event_.track = sequence.track;
  event_.by_worker = sequence.is_worker;
  event_.ns = sequence.ns;
  int type = 0;
  while (data.next()) {
    switch (data.tag()) {
      case 3:
        event_.category = sequence.names[Sequence::kCategories][data.get_uint64()];
        break;
      case 4:
        argument(sequence, data.get_message());
        break;
      case 9:
        type = data.get_enum();
        break;
      case 10:
        event_.name = sequence.names[Sequence::kEvents][data.get_uint64()];
        break;
      default:
        data.skip();
    }
  }
  if (type < 1 || type > 3) return;
  event_.type = static_cast<TraceEvent::Type>(type - 1);
  see_(event_);
}

void Reader::argument(const Sequence& sequence, pbf_reader data) {
  TraceArgument argument;
  while (data.next()) {
    switch (data.tag()) {
      case 1: {
        const auto& names = sequence.names[Sequence::kArguments];
        if (const auto name = names.find(data.get_uint64()); name != names.end())
          argument.name = name->second;
        break;
      }
      case 3:
        argument.number = data.get_uint64();
        break;
      case 17:
        if (const auto text = sequence.names[Sequence::kTexts].find(data.get_uint64());
            text != sequence.names[Sequence::kTexts].end())
          argument.text = text->second;
        break;
      default:
        data.skip();
    }
  }
  event_.arguments.push_back(argument);
}

}  // namespace

std::string_view TraceEvent::text(std::string_view argument) const noexcept {
  const auto one = std::ranges::find(arguments, argument, &TraceArgument::name);
  return one == arguments.end() ? std::string_view() : one->text;
}

uint64_t TraceEvent::number(std::string_view argument) const noexcept {
  const auto one = std::ranges::find(arguments, argument, &TraceArgument::name);
  return one == arguments.end() ? 0 : one->number;
}

TraceFile read_trace(const std::string& path, const std::function<void(const TraceEvent&)>& see) {
  const MappedFile mapped(path);
  Reader reader(see);
  pbf_reader packets(mapped.text().data(), mapped.text().size());
  try {
    while (packets.next(1)) reader.packet(packets.get_message());
  } catch (const protozero::exception&) {
    reader.file.is_cut_off = true;
  }
  // A file without a byte is that of a program which ended before its first events were written.
  if (reader.file.tracks.empty() && !mapped.text().empty())
    throw Failure(kUsage,
                  fmt::format("'{}' is not a trace that 'vicino run --trace' has written", path));
  return std::move(reader.file);
}

}  // namespace vicino::cli
