#include "config/affinity.hpp"

#include "config/numbers.hpp"
#include "config/words.hpp"

namespace vicino::config {
namespace {

using topo::Bind;

struct BindWords {
  static constexpr std::array<Word<Bind>, 4> kWords{{{"primary", Bind::kPrimary},
                                                     {"master", Bind::kPrimary},
                                                     {"close", Bind::kClose},
                                                     {"spread", Bind::kSpread}}};
};

// A place for each CPU of the range: N, N-M or N-M:S.
bool append_range(std::string_view item, std::string& places) {
  const Halves stride_of = split_first(item, ':');
  const Halves range = split_first(stride_of.head, '-');
  const auto first = Natural::parse(range.head);
  const auto last = range.rest ? Natural::parse(*range.rest) : first;
  const auto stride = stride_of.rest ? Positive::parse(*stride_of.rest) : 1;
  if (!first || !last || !stride || *last < *first || (stride_of.rest && !range.rest)) return false;
  if (!places.empty()) places += ',';
  places += '{' + std::to_string(*first) + '}';
  const long count = (long{*last} - *first) / *stride + 1;
  if (count > 1) places += ':' + std::to_string(count) + ':' + std::to_string(*stride);
  return true;
}

std::string_view take_word(std::string_view& text) {
  const auto end = text.find_first_of(" \t,");
  const std::string_view word = text.substr(0, end);
  text = end == text.npos ? std::string_view() : text.substr(end + 1);
  return word;
}

}  // namespace

std::optional<std::vector<Bind>> BindList::parse(std::string_view text) {
  if (const auto bound = Flag::parse(text)) return std::vector{*bound ? Bind::kTrue : Bind::kFalse};
  std::vector<Bind> binds;
  const bool good = for_each_item(text, [&](std::string_view item) {
    const auto bind = Choice<BindWords>::parse(item);
    if (bind) binds.push_back(*bind);
    return bind.has_value();
  });
  if (!good) return std::nullopt;
  return binds;
}

std::string BindList::format(const std::vector<Bind>& binds) {
  if (binds.empty()) return Flag::format(false);
  if (binds[0] == Bind::kFalse || binds[0] == Bind::kTrue)
    return Flag::format(binds[0] == Bind::kTrue);
  std::string text;
  for (Bind bind : binds) text += (text.empty() ? "" : ",") + Choice<BindWords>::format(bind);
  return text;
}

std::optional<std::string> CpuAffinity::parse(std::string_view text) {
  std::string places;
  for (text = trim(text); !text.empty();) {
    const std::string_view word = take_word(text);
    if (!word.empty() && !append_range(word, places)) return std::nullopt;
  }
  if (places.empty()) return std::nullopt;
  return places;
}

}  // namespace vicino::config
