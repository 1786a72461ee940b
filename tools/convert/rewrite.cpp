#include "rewrite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sharing.hpp"

namespace vicino::convert {
namespace {

bool says(const Clause& clause, std::string_view word) {
  return std::ranges::find(clause.arguments, word, &Token::text) != clause.arguments.end();
}

bool says_first(const Clause& clause, std::string_view word) {
  return !clause.arguments.empty() && clause.arguments[0].text == word;
}

const Token& for_of(const Directive& loop) {
  return *std::ranges::find(loop.name, "for", &Token::text);
}

// Refuses macros whose meaning would have to be known: in the directive's name, as the name of a
// clause, or in a list of variables.
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
    return "reduction(inscan): a loop with a scan may have no schedule clause";
  if (clause.name == "schedule" &&
      (clause.arguments.empty() || clause.arguments.back().text == ":"))
    return "schedule: it names no kind";
  if (!is_clause(clause.name)) return fmt::format("'{}' is not a known clause", clause.name);
  return std::nullopt;
}

std::optional<std::string> refused_by_runtime(const Clause& clause) {
  // Without a modifier `order` is reproducible too.
  if (clause.name == "order" && !says(clause, "unconstrained"))
    return "order: it asks for the same distribution each time";
  return std::nullopt;
}

std::optional<std::string> refused_by_taskloop(const Directive& loop, const Clause& clause) {
  if (clause.name == "nowait")
    return "nowait: what follows may rely on each thread having done its own iterations";
  if (clause.name == "lastprivate") return "lastprivate: it is not carried over to a taskloop";
  if (clause.name == "order") return "order: a taskloop has no such clause";
  if (clause.name == "default" && !says_first(clause, "shared") && !says_first(clause, "none"))
    return "default: it would make variables private twice, in the region and in the tasks";
  // With two reductions clang 19's optimised code loses a part of the sum, on libomp too.
  if (clause.name == "reduction" && loop.names("simd"))
    return "reduction with simd: clang 19 compiles it wrongly in a taskloop";
  if (clause.name == "reduction" && says(clause, "task"))
    return "reduction(task): its tasks are not the taskloop's";
  return std::nullopt;
}

// Refuses directives in the loop that are bound to the worksharing loop or to the thread.
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

// Whether no head of the loops that a collapse clause joins uses a variable of an outer head.
bool is_rectangular(const Node& loop) {
  std::set<std::pair<std::string, size_t>> outer;
  for (const Node* at = &loop; at != nullptr;) {
    if (at->kind != Node::kFor || at->children.empty()) return true;
    std::set<std::pair<std::string, size_t>> own;
    bool depends = false;
    for (size_t i = 0; i + 1 < at->children.size(); ++i)
      for_each(*at->children[i], [&](const Node& node) {
        const std::pair variable(node.name, node.declared_at);
        if (node.kind == Node::kUse && outer.contains(variable)) depends = true;
        if (node.kind == Node::kDeclaration) own.insert(variable);
        if (node.kind == Node::kAssign && node.children[0]->kind == Node::kUse)
          own.emplace(node.children[0]->name, node.children[0]->declared_at);
      });
    if (depends) return false;
    outer.merge(own);
    const Node* body = at->children.back().get();
    while (body->kind == Node::kCompound && !body->children.empty())
      body = body->children.front().get();
    at = body;
  }
  return true;
}

bool in_device_code(const Node& node) {
  for (const Node* at = &node; at != nullptr; at = at->parent)
    for (const Directive* around : at->around)
      if (around->names("target") || around->names("teams")) return true;
  return false;
}

// Replaces the kind and the chunk; modifiers before the colon stay.
Edit with_runtime(const Clause& schedule) {
  const auto colon = std::ranges::find(schedule.arguments, ":", &Token::text);
  const auto kind = colon == schedule.arguments.end() ? schedule.arguments.begin() : colon + 1;
  return {kind->begin, schedule.arguments.back().end, "runtime"};
}

// Removes the clauses for which `removed` is true, and commas that would no longer separate two.
template <typename Removed>
void remove_clauses(std::string_view text, const Directive& loop, const Removed& removed,
                    std::vector<Edit>& edits) {
  const auto blank = [&](size_t at) { return text[at] == ' ' || text[at] == '\t'; };
  const Clause* kept = nullptr;  // the last one that stays
  std::vector<size_t> commas;    // since then
  for (const Clause& clause : loop.clauses) {
    if (clause.comma) commas.push_back(*clause.comma);
    if (removed(clause)) {
      Edit edit{clause.begin, clause.end, ""};
      // A comma that follows at once leaves no blank behind it, so the blank before it stays.
      if (clause.end == text.size() || text[clause.end] != ',')
        while (blank(edit.begin - 1)) --edit.begin;
      edits.push_back(edit);
      continue;
    }
    if (kept != nullptr && clause.comma) commas.pop_back();
    for (const size_t comma : commas) edits.push_back({comma, comma + 1, ""});
    commas.clear();
    kept = &clause;
  }
  for (const size_t comma : commas) edits.push_back({comma, comma + 1, ""});
}

std::string_view newline_at(std::string_view text, size_t offset) {
  const size_t end = text.find('\n', offset);
  return end != std::string_view::npos && end > 0 && text[end - 1] == '\r' ? "\r\n" : "\n";
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t") == std::string_view::npos;
}

// Lines to put before a directive; they begin and end like the directive's own line.
class LinesBefore {
 public:
  LinesBefore(std::string_view text, const Directive& loop) : at_(loop.begin) {
    static constexpr std::string_view kBom = "\xEF\xBB\xBF";
    const size_t line = line_begin(text, loop.begin);
    std::string_view before = text.substr(line, loop.begin - line);
    if (before.starts_with(kBom)) before.remove_prefix(kBom.size());
    if (is_blank(before)) indent_ = before;
    opening_ = text.substr(loop.begin, loop.name_begin - loop.begin);
    if (opening_.find_first_of("\\/\n") != std::string::npos) opening_ = "#pragma omp ";
    newline_ = newline_at(text, loop.begin);
  }

  void add(std::string_view directive) {
    lines_ += fmt::format("{}{}{}{}", opening_, directive, newline_, indent_);
  }
  Edit edit() const { return {at_, at_, lines_}; }

 private:
  size_t at_;
  std::string indent_, opening_, newline_, lines_;
};

// Whether a clause of a combined directive belongs to its region, not to its loop.
bool is_of_region(const Clause& clause) {
  static constexpr std::string_view kNames[] = {"num_threads", "proc_bind", "copyin", "shared",
                                                "default"};
  return std::ranges::find(kNames, clause.name) != std::end(kNames) ||
         (clause.name == "if" && !says_first(clause, "simd"));
}

std::vector<Edit> to_runtime(const Directive& loop) {
  if (const Clause* schedule = loop.clause("schedule")) return {with_runtime(*schedule)};
  return {{loop.end, loop.end, " schedule(runtime)"}};
}

// `parallel master taskloop` would be shorter, but with it clang 19 makes some variables of the
// region private: those of an atomic compare, and objects in templates.
std::vector<Edit> to_taskloop(std::string_view text, const Directive& loop) {
  LinesBefore before(text, loop);
  const Token& word = for_of(loop);
  std::vector<Edit> edits;
  if (loop.names("parallel")) {
    std::string region = "parallel";
    for (const Clause& clause : loop.clauses) {
      if (!is_of_region(clause)) continue;
      // `default(none)` would ask for lists of variables in the region too; it has no other effect.
      if (clause.name != "default" || !says_first(clause, "none"))
        region += fmt::format(" {}", text.substr(clause.begin, clause.end - clause.begin));
    }
    before.add(region);
    before.add("single nowait");  // the region ends with a barrier
    const Token& first = loop.name[0];
    const bool adjoining = is_blank(text.substr(first.end, word.begin - first.end));
    edits.push_back({first.begin, first.end, "taskloop"});
    edits.push_back({adjoining ? first.end : word.begin, word.end, ""});
  } else {
    before.add("single");
    edits.push_back({word.begin, word.end, "taskloop"});
  }
  edits.push_back(before.edit());
  remove_clauses(
      text, loop,
      [&](const Clause& clause) {
        return clause.name == "schedule" || (loop.names("parallel") && is_of_region(clause));
      },
      edits);
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
  if (loop.clause("collapse") != nullptr && !is_rectangular(node))
    return "collapse: the loops' bounds depend on each other, so no schedule clause is allowed";
  if (in_device_code(node)) return "it is in a target or teams region";
  if (wish.target == Target::kRuntime) return std::nullopt;
  if (auto reason = refused_inside(view, node)) return reason;
  return loop.names("parallel") ? std::nullopt : needs_own_thread(view, loop, node);
}

std::vector<Edit> rewrite(std::string_view text, const Directive& loop, const Wish& wish) {
  return wish.target == Target::kRuntime ? to_runtime(loop) : to_taskloop(text, loop);
}

}  // namespace vicino::convert
