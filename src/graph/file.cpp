#include "graph/file.hpp"

#include <errno.h>
#include <fcntl.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/hash.hpp"
#include "base/open_file.hpp"

namespace vicino::graph {
namespace {

constexpr std::string_view kMagic = "VicinoG\n";
constexpr uint32_t kByteOrder = 0x01020304, kOtherByteOrder = 0x04030201, kVersion = 1;
constexpr uint32_t kCosts = 1, kNodes = 2;  // which arrays there are

struct Counts {
  uint32_t tasks, edges, aggregates, arrays;
};

struct Header {
  char magic[8];
  uint32_t byte_order, version;
  uint64_t checksum;
  Counts counts;
};
static_assert(kMagic.size() == sizeof(Header::magic) && sizeof(Header) == 40);
constexpr size_t kKnownToEachVersion = offsetof(Header, checksum);

template <class T>
std::string_view bytes_of(std::span<const T> array) {
  return {reinterpret_cast<const char*>(array.data()), array.size_bytes()};
}
std::string_view bytes_of(const Counts& counts) { return bytes_of(std::span(&counts, 1)); }

uint64_t bytes_of_file(const Counts& counts) {
  uint64_t numbers = (counts.tasks + uint64_t{1}) + counts.edges +
                     (counts.aggregates + uint64_t{1}) + counts.tasks;
  if (counts.arrays & kCosts) numbers += counts.tasks;
  if (counts.arrays & kNodes) numbers += counts.aggregates;
  return sizeof(Header) + 4 * numbers + (counts.arrays & kNodes ? counts.aggregates : 0);
}

Error wrong(const std::string& path, const std::string& what) { return {"'" + path + "' " + what}; }
Error damaged(const std::string& how) { return {"is damaged: " + how}; }

// What the header says, if it is one.
Error wrong_counts(const Counts& counts, uint64_t size) {
  if (counts.arrays & ~(kCosts | kNodes)) return damaged("it has arrays that version 1 lacks");
  if (counts.tasks >= kMost || counts.edges >= kMost)
    return damaged("no graph has that many tasks or edges");
  if (counts.aggregates > counts.tasks) return damaged("it has more aggregates than tasks");
  if (const uint64_t expected = bytes_of_file(counts); expected != size)
    return damaged("it has " + std::to_string(size) + " bytes, and by its header " +
                   std::to_string(expected));
  return {};
}

Result<Header> read_header(const OpenFile& file) {
  const Result<uint64_t> size = file.size();
  if (!size) return Error{"cannot be read: " + size.error()};
  Header header{};
  const Result<size_t> got = file.read(&header, sizeof header, 0);
  if (!got) return Error{"cannot be read: " + got.error()};
  if (!std::ranges::equal(header.magic, kMagic)) return Error{"is not a graph of Vicino's"};
  if (*got < kKnownToEachVersion) return damaged("it ends within its header");
  if (header.byte_order == kOtherByteOrder)
    return Error{"was written on a machine with the other order of bytes"};
  if (header.byte_order != kByteOrder) return damaged("it does not say its order of bytes");
  if (header.version != kVersion)
    return Error{"is of version " + std::to_string(header.version) +
                 "; this Vicino reads version " + std::to_string(kVersion)};
  if (*got < sizeof header) return damaged("it ends within its header");
  if (Error error = wrong_counts(header.counts, *size); !error.text.empty()) return error;
  return header;
}

// Reads the arrays one after the other.
class Reader {
 public:
  Reader(const OpenFile& file, const Counts& counts)
      : file_(file), checksum_(hash_by_words(bytes_of(counts))) {}

  template <class T>
  std::vector<T> array(size_t elements) {
    std::vector<T> array(elements);
    const auto bytes = bytes_of(std::span<const T>(array));
    const Result<size_t> got = file_.read(array.data(), bytes.size(), offset_);
    if (!got)
      error_ = {"cannot be read: " + got.error()};
    else if (*got < bytes.size())
      error_ = damaged("it became shorter while it was read");
    offset_ += bytes.size();
    checksum_ = hash_by_words(bytes, checksum_);
    return array;
  }

  const Error& error() const noexcept { return error_; }
  uint64_t checksum() const noexcept { return checksum_; }

 private:
  const OpenFile& file_;
  uint64_t offset_ = sizeof(Header);
  uint64_t checksum_;
  Error error_;
};

Error wrong_flags(std::span<const uint8_t> strict) {
  const auto flag = std::ranges::find_if(strict, [](uint8_t value) { return value > 1; });
  if (flag == strict.end()) return {};
  return damaged("the strict flag of aggregate " + std::to_string(flag - strict.begin()) + " is " +
                 std::to_string(*flag));
}

Result<Saved> read(const OpenFile& file) {
  const Result<Header> header = read_header(file);
  if (!header) return Error{header.error()};
  const Counts& counts = header->counts;
  const auto [tasks, edges, aggregates, arrays] = counts;
  const uint32_t placed = arrays & kNodes ? aggregates : 0;
  Reader reader(file, counts);
  auto first = reader.array<uint32_t>(size_t{tasks} + 1);
  auto before = reader.array<uint32_t>(edges);
  auto cost = reader.array<float>(arrays & kCosts ? tasks : 0);
  auto first_of_aggregate = reader.array<uint32_t>(size_t{aggregates} + 1);
  auto task = reader.array<uint32_t>(tasks);
  auto node = reader.array<int32_t>(placed);
  auto strict = reader.array<uint8_t>(placed);
  if (!reader.error().text.empty()) return reader.error();
  if (reader.checksum() != header->checksum) return damaged("its checksum is wrong");
  if (!are_rows(first, edges)) return damaged("the rows of its tasks are no rows");
  if (!are_rows(first_of_aggregate, tasks))
    return damaged("the rows of its aggregates are no rows");
  if (Error error = wrong_flags(strict); !error.text.empty()) return error;
  if (std::ranges::any_of(node, [](int32_t one) { return one >= kMostNodes; }))
    return damaged("a node of an aggregate is not below " + std::to_string(kMostNodes));
  Result<Graph> graph = Graph::from({std::move(first), std::move(before)}, std::move(cost));
  if (!graph) return damaged(graph.error());
  Result<Coarse> coarse = coarse_of(*graph, {std::move(first_of_aggregate), std::move(task)});
  if (!coarse) return damaged(coarse.error());
  return Saved{*std::move(graph), *std::move(coarse), std::move(node), std::move(strict)};
}

}  // namespace

Error save(const Graph& graph, const Rows& aggregates, std::span<const int32_t> node,
           std::span<const uint8_t> strict, const std::string& path) {
  Header header{.magic = {},
                .byte_order = kByteOrder,
                .version = kVersion,
                .checksum = 0,
                .counts = {graph.size(), graph.edges(), aggregates.size(),
                           (graph.costs().empty() ? 0 : kCosts) | (node.empty() ? 0 : kNodes)}};
  std::ranges::copy(kMagic, header.magic);
  const std::string_view pieces[] = {bytes_of(std::span<const Header>(&header, 1)),
                                     bytes_of(graph.before().first()),
                                     bytes_of(graph.before().items()),
                                     bytes_of(graph.costs()),
                                     bytes_of(aggregates.first()),
                                     bytes_of(aggregates.items()),
                                     bytes_of(node),
                                     bytes_of(strict)};
  header.checksum = hash_by_words(bytes_of(header.counts));
  for (const std::string_view array : std::span(pieces).subspan(1))
    header.checksum = hash_by_words(array, header.checksum);
  const Error error = replace_file(path, pieces);
  return error.text.empty() ? error : wrong(path, "cannot be written: " + error.text);
}

Result<Saved> load(const std::string& path) {
  const OpenFile file(path, O_RDONLY);
  if (!file.ok()) return wrong(path, "cannot be read: " + system_error(errno).text);
  Result<Saved> saved = read(file);
  if (!saved) return wrong(path, saved.error());
  return saved;
}

}  // namespace vicino::graph
