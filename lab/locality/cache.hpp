// cache.hpp: one set-associative cache with the state of each line; replacement is strict LRU.
//
// A set is an array in order of last use, with the most recent line first and the empty ways last.
// A hit moves a line to the front; a fill of a full set drops the last line. A word holds line << 2
// | state, so that a set of 8 ways is one line of the host's cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vicino::lab {

enum class State : std::uint64_t { kInvalid, kShared, kExclusive, kModified };

class Cache {
 public:
  struct Victim {
    std::uint64_t line;
    State state;  // kInvalid: nothing had to leave
  };

  Cache(std::uint64_t sets, std::uint64_t ways)
      : mask_(sets - 1), ways_(ways), words_(sets * ways) {}

  // Asking for the state does not count as use.
  State state(std::uint64_t line) const {
    const std::uint64_t* word = find(line);
    return word ? state_of(*word) : State::kInvalid;
  }

  // Makes the line the most recent of its set; kInvalid if it is not there.
  State use(std::uint64_t line) {
    std::uint64_t* word = find(line);
    if (!word) return State::kInvalid;
    to_front(word);
    return state_of(*set(line));
  }

  // The line must be there.
  void set_state(std::uint64_t line, State state) { *find(line) = word_of(line, state); }

  // The line must not be there; it becomes the most recent of its set.
  Victim insert(std::uint64_t line, State state) {
    std::uint64_t* last = set(line) + ways_ - 1;
    const Victim victim{*last >> 2, state_of(*last)};
    *last = word_of(line, state);
    to_front(last);
    return victim;
  }

  State erase(std::uint64_t line) {
    std::uint64_t* word = find(line);
    if (!word) return State::kInvalid;
    const State state = state_of(*word);
    std::uint64_t* last = set(line) + ways_ - 1;
    for (; word < last; ++word) word[0] = word[1];
    *last = 0;
    return state;
  }

 private:
  static State state_of(std::uint64_t word) { return static_cast<State>(word & 3); }
  static std::uint64_t word_of(std::uint64_t line, State state) {
    return line << 2 | static_cast<std::uint64_t>(state);
  }

  std::uint64_t* set(std::uint64_t line) { return words_.data() + (line & mask_) * ways_; }
  const std::uint64_t* set(std::uint64_t line) const {
    return words_.data() + (line & mask_) * ways_;
  }

  const std::uint64_t* find(std::uint64_t line) const {
    const std::uint64_t* word = set(line);
    for (std::size_t way = 0; way < ways_; ++way)
      if (word[way] >> 2 == line && (word[way] & 3) != 0) return word + way;
    return nullptr;
  }
  std::uint64_t* find(std::uint64_t line) {
    return const_cast<std::uint64_t*>(static_cast<const Cache*>(this)->find(line));
  }

  void to_front(std::uint64_t* word) {
    std::uint64_t* first = set(*word >> 2);
    const std::uint64_t moved = *word;
    for (; word > first; --word) word[0] = word[-1];
    *first = moved;
  }

  std::uint64_t mask_;
  std::size_t ways_;
  std::vector<std::uint64_t> words_;
};

}  // namespace vicino::lab
