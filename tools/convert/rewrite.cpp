#include "rewrite.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sharing.hpp"

namespace vicino::convert {
namespace {

bool says(const Clause& clause, std::string_view word) {
  return std::ranges::find(clause.arguments, word, &Token::text) != clause.arguments.end();
}

const Token& for_of(const Directive& loop) {
  return *std::ranges::find(loop.name, "for", &Token::text);
}

// A macro where it would have to be known what it stands for: the name of a clause, or of
// variables.
std::optional<std::string> macro_in(const View& view, const Directive& loop) {
  const auto refused = [&](std::string_view name) {
    return fmt::format("'{}' in its directive is a macro", name);
  };
  for (const Token& word : loop.name)
    if (view.macros.contains(word.begin)) return refused(word.text);
  for (const Clause& clause : loop.clauses) {
    if (view.macros.contains(clause.begin)) return refused(clause.name);
    if (!takes_list(clause.name)) continue;
    for (const std::string_view name : clause.list())
      if (view.macros.contains(static_cast<size_t>(name.data() - view.text.data())))
        return refused(name);
  }
  return std::nullopt;
}

std::optional<std::string> refused_by_both(const Clause& clause) {
  if (clause.name == "ordered") return "ordered: its iterations wait for each other in their order";
  if (clause.name == "linear") return "linear: its variable goes with a thread's iterations";
  if (clause.name == "reduction" && says(clause, "inscan"))
    return "reduction(inscan): a scan's loop may not say its schedule";
  if (!is_clause(clause.name))
    return fmt::format("'{}' is not a clause that is known", clause.name);
  return std::nullopt;
}

std::optional<std::string> refused_by_runtime(const Clause& clause) {
  // Without a modifier it is reproducible too.
  if (clause.name == "order" && !says(clause, "unconstrained"))
    return "order: it asks for the same distribution each time";
  return std::nullopt;
}

std::optional<std::string> refused_by_taskloop(const Directive& loop, const Clause& clause) {
  if (clause.name == "nowait")
    return "nowait: what follows may rely on each thread having done its own iterations";
  if (clause.name == "lastprivate") return "lastprivate: it is not carried over to a taskloop";
  if (clause.name == "order") return "order: a taskloop does not have it";
  // With two of them clang 19's optimised code loses a part of the sum, on libomp too.
  if (clause.name == "reduction" && loop.names("simd"))
    return "reduction with simd: clang 19 compiles it wrongly in a taskloop";
  if (clause.name == "reduction" && says(clause, "task"))
    return "reduction(task): its tasks are not the taskloop's";
  return std::nullopt;
}

// What in a loop is bound to the worksharing loop or to the thread.
std::optional<std::string> refused_inside(const View& view, const Node& node) {
  for (const Directive& inner : view.directives.all) {
    if (!node.range.holds(inner.begin)) continue;
    if (inner.is("cancel") || inner.is("cancellation"))
      return "cancel: it ends a worksharing loop, not a taskloop";
    if (inner.clause("depend") != nullptr)
      return "depend: tasks of different iterations would no longer see each other's dependences";
  }
  return std::nullopt;
}

bool in_device_code(const Node& node) {
  for (const Node* at = &node; at != nullptr; at = at->parent)
    for (const Directive* around : at->around)
      if (around->names("target") || around->names("teams")) return true;
  return false;
}

// The kind and the chunk; what stands before the colon is kept.
Edit with_runtime(const Clause& schedule) {
  const auto colon = std::ranges::find(schedule.arguments, ":", &Token::text);
  const auto kind = colon == schedule.arguments.end() ? schedule.arguments.begin() : colon + 1;
  return {kind->begin, schedule.arguments.back().end, "runtime"};
}

Edit without(std::string_view text, const Clause& clause) {
  const auto blank = [&](size_t at) { return text[at] == ' ' || text[at] == '\t'; };
  Edit edit{clause.begin, clause.end, ""};
  while (blank(edit.begin - 1)) --edit.begin;
  if (text[edit.begin - 1] == ',') {
    --edit.begin;
    return edit;
  }
  size_t next = clause.end;
  while (next < text.size() && blank(next)) ++next;
  if (next < text.size() && text[next] == ',') edit.end = next + 1;
  return edit;
}

std::string_view newline_at(std::string_view text, size_t offset) {
  const size_t end = text.find('\n', offset);
  return end != std::string_view::npos && end > 0 && text[end - 1] == '\r' ? "\r\n" : "\n";
}

// What the second directive begins with: the same as the first, if that is on one line.
std::string beginning_of(std::string_view text, const Directive& loop) {
  const size_t line = line_begin(text, loop.begin);
  const std::string_view own = text.substr(line, for_of(loop).begin - line);
  static constexpr std::string_view kBom = "\xEF\xBB\xBF";
  const std::string_view shown = own.starts_with(kBom) ? own.substr(kBom.size()) : own;
  if (shown.find_first_of("\n/") == std::string_view::npos) return std::string(shown);
  const std::string_view indent = shown.substr(0, shown.find_first_not_of(" \t"));
  return std::string(indent) + "#pragma omp ";
}

std::vector<Edit> to_runtime(const Directive& loop) {
  if (const Clause* schedule = loop.clause("schedule")) return {with_runtime(*schedule)};
  return {{loop.end, loop.end, " schedule(runtime)"}};
}

std::vector<Edit> to_taskloop(std::string_view text, const Directive& loop) {
  const Token& word = for_of(loop);
  std::vector<Edit> edits;
  if (loop.names("parallel"))
    edits.push_back({word.begin, word.end, "master taskloop"});
  else
    edits.push_back({word.begin, word.end,
                     fmt::format("single{}{}taskloop", newline_at(text, loop.begin),
                                 beginning_of(text, loop))});
  if (const Clause* schedule = loop.clause("schedule")) edits.push_back(without(text, *schedule));
  return edits;
}

}  // namespace

bool is_wanted(const Directive& loop, const Wish& wish) {
  const Clause* schedule = loop.clause("schedule");
  if (schedule == nullptr) return true;
  return wish.all && (wish.target == Target::kTaskloop || !says(*schedule, "runtime"));
}

std::optional<std::string> refusal(const View& view, const Directive& loop, const Wish& wish) {
  if (auto macro = macro_in(view, loop)) return macro;
  const bool runtime = wish.target == Target::kRuntime;
  for (const Clause& clause : loop.clauses) {
    if (auto reason = refused_by_both(clause)) return reason;
    if (auto reason = runtime ? refused_by_runtime(clause) : refused_by_taskloop(loop, clause))
      return reason;
  }
  return std::nullopt;
}

std::optional<std::string> refusal_by_region(const View& view, const Directive& loop,
                                             const Node& node, const Wish& wish) {
  if (in_device_code(node)) return "it is in a target or teams region";
  if (wish.target == Target::kRuntime) return std::nullopt;
  if (auto reason = refused_inside(view, node)) return reason;
  return loop.names("parallel") ? std::nullopt : needs_own_thread(view, loop, node);
}

std::vector<Edit> rewrite(std::string_view text, const Directive& loop, const Wish& wish) {
  return wish.target == Target::kRuntime ? to_runtime(loop) : to_taskloop(text, loop);
}

}  // namespace vicino::convert
