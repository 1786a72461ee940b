#include "graph/passes.hpp"

#include <algorithm>
#include <numeric>

#include "base/quote.hpp"
#include "graph/block.hpp"
#include "graph/continuation.hpp"
#include "graph/depth_front.hpp"
#include "graph/front.hpp"
#include "graph/sequential.hpp"
#include "graph/tree.hpp"

namespace vicino::graph {
namespace {

template <Pass P>
constexpr PassRow row() {
  return {P::kLetter, P::kName, P::kSummary, P::kParameter, P::group};
}

constexpr PassRow kPasses[] = {row<Sequential>(),   row<Front>(), row<DepthFront>(),
                               row<Continuation>(), row<Block>(), row<Tree>()};

// "S, F(aggregates per depth), ..."
std::string accepted() {
  std::string text;
  for (const PassRow& pass : kPasses) {
    if (!text.empty()) text += ", ";
    text += pass.letter;
    if (!pass.parameter.empty()) text += "(" + std::string(pass.parameter) + ")";
  }
  return text;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<CoarseString> run() {
    CoarseString steps;
    while (at_ < text_.size()) {
      const PassRow* const pass = std::ranges::find(kPasses, text_[at_], &PassRow::letter);
      if (pass == std::end(kPasses)) return wrong("a pass: " + accepted());
      ++at_;
      Step step{pass};
      if (!pass->parameter.empty() && !read_parameter(step)) return wrong(expected_);
      steps.push_back(step);
    }
    return steps;
  }

 private:
  bool read_parameter(Step& step) {
    expected_ = "'(' and the number of " + std::string(step.pass->parameter);
    if (at_ == text_.size() || text_[at_] != '(') return false;
    ++at_;
    const size_t end = std::min(text_.find_first_not_of("0123456789", at_), text_.size());
    uint64_t number = 0;
    for (size_t i = at_; i < end && number <= kMost; ++i)
      number = 10 * number + static_cast<uint64_t>(text_[i] - '0');
    expected_ = "the number of " + std::string(step.pass->parameter) + ", from 1 to " +
                std::to_string(kMost - 1);
    if (number == 0 || number >= kMost) return false;
    at_ = end;
    expected_ = "')'";
    if (at_ == text_.size() || text_[at_] != ')') return false;
    ++at_;
    step.parameter = static_cast<uint32_t>(number);
    return true;
  }

  Error wrong(const std::string& expected) const {
    const std::string place =
        at_ < text_.size() ? quoted(text_.substr(at_)) : "the end of the text";
    return {"coarse string " + quoted(text_) + ": at place " + std::to_string(at_ + 1) +
            ", before " + place + ", there must be " + expected};
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string expected_;
};

}  // namespace

std::span<const PassRow> passes() noexcept { return kPasses; }

Result<CoarseString> parse_coarse_string(std::string_view text) { return Parser(text).run(); }

std::string to_text(const CoarseString& steps) {
  std::string text;
  for (const Step& step : steps) {
    text += step.pass->letter;
    if (!step.pass->parameter.empty()) text += "(" + std::to_string(step.parameter) + ")";
  }
  return text;
}

Rows one_each(uint32_t tasks) {
  std::vector<uint32_t> first(size_t{tasks} + 1), items(tasks);
  std::iota(first.begin(), first.end(), 0u);
  std::iota(items.begin(), items.end(), 0u);
  return {std::move(first), std::move(items)};
}

Result<Coarse> coarsen(const Coarse& coarse, const CoarseString& steps) {
  if (steps.empty()) return coarse;
  const Coarse* from = &coarse;
  Coarse made;
  for (const Step& step : steps) {
    const Rows groups = step.pass->group(from->graph, step.parameter);
    Result<Graph> next = quotient(from->graph, groups);
    if (!next)
      return Error{"the groups of the pass " + std::string(step.pass->name) +
                   " are no aggregates: " + next.error()};
    made = {*std::move(next), merged(groups, from->tasks)};
    from = &made;
  }
  return made;
}

}  // namespace vicino::graph
