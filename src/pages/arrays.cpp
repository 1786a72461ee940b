#include "pages/arrays.hpp"

#include <algorithm>
#include <array>

#include "topo/pages.hpp"

namespace vicino::pages {
namespace {

using topo::Mapping;

// Words that are read of a region's struct, or of an object that it captures: most structs are smaller.
constexpr size_t kStructWords = 16;
// What glibc's malloc() gives of less than this never has pages of its own (M_MMAP_THRESHOLD).
constexpr uintptr_t kSmall = 128 * 1024;
// Words that are read of what such a struct points to: two vectors, or the head of an object.
constexpr size_t kInnerWords = 8;

const Mapping* mapping_of(std::span<const Mapping> mappings, uintptr_t at) {
  const auto after = std::ranges::upper_bound(mappings, at, {}, &Mapping::begin);
  if (after == mappings.begin() || at >= std::prev(after)->end) return nullptr;
  return &*std::prev(after);
}

class Search {
 public:
  Search(Kernel& kernel, std::span<const Mapping> all, std::span<const Mapping> large)
      : kernel_(kernel), all_(all), large_(large) {}

  void follow(std::span<const uintptr_t> words, int depth) {
    for (size_t i = 0; i < words.size(); ++i) {
      const Mapping* const around = mapping_of(all_, words[i]);
      if (around == nullptr) continue;
      const uintptr_t end = around->is_own ? end_by_malloc(words[i], *around) : 0;
      // A heap is large and has small objects, which may have pointers to arrays. What is not large may be a
      // thread's stack, so it has only the arrays that malloc() knows of.
      const bool is_array =
          end != 0 ? end - words[i] >= kSmall : mapping_of(large_, words[i]) != nullptr;
      if (is_array)
        i += note(words.subspan(i), *around, end);
      else if (depth < 2)
        read_block(words[i], *around, depth);
    }
  }

  std::vector<Array> found() {
    std::ranges::sort(known_, {}, &Known::begin);
    std::vector<Array> arrays;
    for (size_t i = 0; i < known_.size(); ++i) {
      const Known& known = known_[i];
      if (!arrays.empty() && known.begin < arrays.back().end) continue;
      uintptr_t end = known.end;
      for (size_t next = i + 1; end == 0 && next < known_.size(); ++next)
        if (known_[next].begin > known.begin) end = known_[next].begin;
      const uintptr_t border = mapping_of(all_, known.begin)->end;
      arrays.push_back({known.begin, end == 0 ? border : std::min(end, border)});
    }
    return arrays;
  }

 private:
  struct Known {
    uintptr_t begin;
    uintptr_t end;  // 0: unknown
  };

  // The word is in memory that has arrays; `end`: what malloc() says of it. Returns how many of the words after it
  // belong to the same array.
  size_t note(std::span<const uintptr_t> words, const Mapping& around, uintptr_t end) {
    const uintptr_t begin = words[0];
    // begin, end and end of capacity
    if (words.size() >= 3 && begin < words[1] && words[1] <= words[2] && words[2] <= around.end) {
      add({begin, words[1]});
      return 2;
    }
    add({begin, end});
    return 0;
  }

  void add(Known known) {
    for (Known& old : known_)
      if (old.begin == known.begin) {
        old.end = std::max(old.end, known.end);
        return;
      }
    known_.push_back(known);
  }

  // In front of a block of glibc's is its size, of which the lowest three bits are flags. 0: there is none. A block with a
  // mapping of its own was made larger, up to whole pages. Half a page less is then at most half a page wrong, and right
  // by pages for an array of whole pages, for which the head made it a page larger: blocks of 1/16 of such an array would
  // end up to a page too late, and one page of eight lie on the node before.
  uintptr_t end_by_malloc(uintptr_t begin, const Mapping& around) {
    std::array<uintptr_t, 2> head;
    constexpr uintptr_t kHead = sizeof head, kFlags = 7, kOwnMapping = 2;
    if (begin % kHead != 0 || begin < around.begin + kHead || !kernel_.read(begin - kHead, head))
      return 0;
    const uintptr_t bytes = head[1] & ~kFlags;
    const uintptr_t end = begin - kHead + bytes;
    if (bytes % kHead != 0 || bytes <= kHead || end <= begin || end > around.end) return 0;
    return (head[1] & kOwnMapping) != 0 && bytes > topo::page_size() ? end - topo::page_size() / 2
                                                                     : end;
  }

  void read_block(uintptr_t at, const Mapping& around, int depth) {
    if (at % sizeof(uintptr_t) != 0 || !around.is_readable || blocks_ == kMostBlocks) return;
    if (std::ranges::find(seen_, at) != seen_.end()) return;
    seen_.push_back(at);
    ++blocks_;
    std::array<uintptr_t, kStructWords> block;
    const size_t left = (around.end - at) / sizeof(uintptr_t);
    const std::span words(block.data(), std::min(depth == 0 ? kStructWords : kInnerWords, left));
    if (kernel_.read(at, words)) follow(words, depth + 1);
  }

  Kernel& kernel_;
  const std::span<const Mapping> all_, large_;
  std::vector<Known> known_;
  std::vector<uintptr_t> seen_;
  int blocks_ = 0;
};

}  // namespace

std::vector<Array> find_arrays(Kernel& kernel, std::span<const Mapping> all,
                               std::span<const Mapping> large, std::span<const uintptr_t> words) {
  Search search(kernel, all, large);
  search.follow(words, 0);
  return search.found();
}

}  // namespace vicino::pages
