// Files of task graphs: bytes are refused with one plain line, or are a graph that is saved and read back. The
// checksum in the header is made good first.
#include <cstring>

#include "base/hash.hpp"
#include "graph/file.hpp"
#include "target.hpp"

using namespace vicino;

namespace {

constexpr size_t kChecksumAt = 16, kCountsAt = 24, kArraysAt = 40;  // graph/file.cpp: Header

std::string sealed(std::string bytes) {
  if (bytes.size() < kArraysAt) return bytes;
  const std::string_view all(bytes);
  uint64_t sum = hash_by_words(all.substr(kCountsAt, kArraysAt - kCountsAt));
  // The arrays are hashed one by one. All but the last of them consist of 4-byte numbers, and an array may end
  // within a step of hash_by_words(), so their lengths count.
  uint32_t counts[4];
  std::memcpy(counts, bytes.data() + kCountsAt, sizeof counts);
  const auto [tasks, edges, aggregates, arrays] = counts;
  std::string_view rest = all.substr(kArraysAt);
  const auto take = [&](uint64_t length) {
    const std::string_view array = rest.substr(0, length);
    rest.remove_prefix(array.size());
    sum = hash_by_words(array, sum);
  };
  take(4 * (tasks + uint64_t{1}));
  take(4 * uint64_t{edges});
  if (arrays & 1) take(4 * uint64_t{tasks});
  take(4 * (aggregates + uint64_t{1}));
  take(4 * uint64_t{tasks});
  if (arrays & 2) take(4 * uint64_t{aggregates});
  if (arrays & 2) take(aggregates);
  std::memcpy(bytes.data() + kChecksumAt, &sum, sizeof sum);
  return bytes;
}

bool check(const std::string& bytes) {
  const fuzz::File file(bytes);
  const auto saved = graph::load(file.path());
  if (!saved) {
    MUST(fuzz::is_plain(saved.error()));
    return false;
  }
  for (uint32_t i = 0; i < saved->coarse.graph.size(); ++i)
    for (const uint32_t task : saved->coarse.tasks[i]) MUST(task < saved->graph.size());
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(fuzz::text_of(data, size));
  if (check(bytes)) {
    MUST(check(sealed(bytes)));  // sealed() knows how the checksum is made
    return 0;
  }
  check(sealed(bytes));
  return 0;
}
