#include "base/cpu_set.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <climits>
#include <type_traits>

namespace vicino {
namespace {

constexpr int kWordBits = 64;
constexpr int kKernelBits = sizeof(unsigned long) * CHAR_BIT;

size_t word_of(int cpu) { return static_cast<size_t>(cpu) / kWordBits; }
uint64_t bit_of(int cpu) { return uint64_t{1} << (static_cast<unsigned>(cpu) % kWordBits); }

// Takes a CPU number off the front of `text`; -1 if there is none.
int take_cpu(std::string_view& text) {
  int cpu = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cpu);
  if (error != std::errc{} || cpu < 0 || cpu >= CpuSet::kMaxCpus) return -1;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return cpu;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

Error bad_list(std::string_view text) {
  return {"\"" + std::string(text) + "\" is not a list of CPUs such as 0-3,8"};
}

}  // namespace

CpuSet CpuSet::of(int cpu) { return range(cpu, 1); }

CpuSet CpuSet::range(int first, int count) {
  CpuSet set;
  for (int cpu = first + count - 1; cpu >= first; --cpu) set.set(cpu);
  return set;
}

Result<CpuSet> CpuSet::parse_list(std::string_view text) {
  // The kernel's files end in a newline.
  std::string_view rest = text.substr(0, text.find_last_not_of(" \t\n") + 1);
  CpuSet set;
  if (rest.empty()) return set;
  do {
    const int first = take_cpu(rest);
    const int last = take(rest, '-') ? take_cpu(rest) : first;
    if (first < 0 || last < first) return bad_list(text);
    set |= range(first, last - first + 1);
  } while (take(rest, ','));
  if (!rest.empty()) return bad_list(text);
  return set;
}

CpuSet CpuSet::from_kernel(std::span<const unsigned long> mask) {
  CpuSet set;
  for (int cpu = static_cast<int>(mask.size()) * kKernelBits - 1; cpu >= 0; --cpu)
    if (mask[static_cast<size_t>(cpu / kKernelBits)] >> (cpu % kKernelBits) & 1) set.set(cpu);
  return set;
}

void CpuSet::set(int cpu) {
  if (word_of(cpu) >= words_.size()) words_.resize(word_of(cpu) + 1);
  words_[word_of(cpu)] |= bit_of(cpu);
}

void CpuSet::clear(int cpu) noexcept {
  if (!test(cpu)) return;
  words_[word_of(cpu)] &= ~bit_of(cpu);
  trim();
}

bool CpuSet::test(int cpu) const noexcept {
  return cpu >= 0 && word_of(cpu) < words_.size() && (words_[word_of(cpu)] & bit_of(cpu)) != 0;
}

int CpuSet::count() const noexcept {
  int sum = 0;
  for (uint64_t word : words_) sum += std::popcount(word);
  return sum;
}

int CpuSet::next(int cpu) const noexcept {
  const int from = cpu + 1;
  uint64_t keep = ~uint64_t{0} << (static_cast<unsigned>(from) % kWordBits);
  for (size_t w = word_of(from); w < words_.size(); ++w, keep = ~uint64_t{0})
    if (const uint64_t word = words_[w] & keep; word != 0)
      return static_cast<int>(w) * kWordBits + std::countr_zero(word);
  return -1;
}

int CpuSet::last() const noexcept {
  if (empty()) return -1;
  return static_cast<int>(words_.size()) * kWordBits - 1 - std::countl_zero(words_.back());
}

CpuSet& CpuSet::operator&=(const CpuSet& other) noexcept {
  if (words_.size() > other.words_.size()) words_.resize(other.words_.size());
  for (size_t w = 0; w < words_.size(); ++w) words_[w] &= other.words_[w];
  trim();
  return *this;
}

CpuSet& CpuSet::operator|=(const CpuSet& other) {
  if (words_.size() < other.words_.size()) words_.resize(other.words_.size());
  for (size_t w = 0; w < other.words_.size(); ++w) words_[w] |= other.words_[w];
  return *this;
}

CpuSet& CpuSet::operator-=(const CpuSet& other) noexcept {
  const size_t common = std::min(words_.size(), other.words_.size());
  for (size_t w = 0; w < common; ++w) words_[w] &= ~other.words_[w];
  trim();
  return *this;
}

bool CpuSet::contains(const CpuSet& other) const noexcept {
  if (other.words_.size() > words_.size()) return false;
  for (size_t w = 0; w < other.words_.size(); ++w)
    if ((other.words_[w] & ~words_[w]) != 0) return false;
  return true;
}

bool CpuSet::intersects(const CpuSet& other) const noexcept {
  const size_t common = std::min(words_.size(), other.words_.size());
  for (size_t w = 0; w < common; ++w)
    if ((words_[w] & other.words_[w]) != 0) return true;
  return false;
}

std::string CpuSet::to_list() const {
  std::string text;
  for (int cpu = first(); cpu >= 0; cpu = next(cpu)) {
    const int start = cpu;
    while (test(cpu + 1)) ++cpu;
    if (!text.empty()) text += ',';
    text += std::to_string(start);
    if (cpu > start) text += '-' + std::to_string(cpu);
  }
  return text;
}

std::span<const unsigned long> CpuSet::to_kernel() const& noexcept {
  static_assert(std::is_same_v<unsigned long, uint64_t>);
  static constexpr unsigned long kNone = 0;
  return empty() ? std::span(&kNone, 1) : words_;
}

void CpuSet::trim() noexcept {
  while (!words_.empty() && words_.back() == 0) words_.pop_back();
}

}  // namespace vicino
