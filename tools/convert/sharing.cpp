#include "sharing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace vicino::convert {
namespace {

// What a piece of code does first with a variable.
enum class First { kNothing, kMaySet, kSets, kReads };

// `always` says that the node runs whenever the piece does.
class FirstUse {
 public:
  FirstUse(std::string_view text, const Node& variable) : text_(text), variable_(variable) {}

  // In one iteration of the loop, since a task may have any of them.
  First in_iteration_of(const Node& loop) const {
    return sequence(loop, [](const Node&) { return true; });
  }

  First in(const Node& node, bool always) const {
    switch (node.kind) {
      case Node::kUse:
        return is_it(node) ? First::kReads : First::kNothing;
      case Node::kAssign:
        return assignment(node, always);
      case Node::kCompound:
      case Node::kComma:
        return sequence(node, [&](const Node&) { return always; });
      case Node::kFor: {
        // In `for (a; b; c) d` a and b always run, if they can be told from c and d.
        const size_t end = node.in_macro ? 0 : second_semicolon(node);
        return sequence(node, [&](const Node& part) { return always && part.range.begin < end; });
      }
      default:
        return sequence(node, [](const Node&) { return false; });
    }
  }

 private:
  bool is_it(const Node& use) const {
    return use.name == variable_.name && use.declared_at == variable_.declared_at;
  }

  First assignment(const Node& node, bool always) const {
    if (node.children.size() != 2) return sequence(node, [](const Node&) { return false; });
    const Node& left = *node.children[0];
    const First right = in(*node.children[1], always);
    if (right != First::kNothing) return right;
    if (left.kind == Node::kUse && is_it(left)) return always ? First::kSets : First::kMaySet;
    return in(left, false);
  }

  template <typename Always>
  First sequence(const Node& node, const Always& always) const {
    for (const auto& child : node.children)
      if (const First first = in(*child, always(*child)); first != First::kNothing) return first;
    return First::kNothing;
  }

  size_t second_semicolon(const Node& node) const {
    const size_t first = text_.find(';', node.range.begin);
    return first == std::string_view::npos ? 0 : text_.find(';', first + 1);
  }

  std::string_view text_;
  const Node& variable_;
};

bool lists(const Directive& directive, std::initializer_list<std::string_view> clauses,
           std::string_view name) {
  for (const Clause& clause : directive.clauses) {
    if (std::ranges::find(clauses, clause.name) == clauses.end()) continue;
    const auto names = clause.list();
    if (std::ranges::find(names, name) != names.end()) return true;
  }
  return false;
}

struct Region {
  const Node* node = nullptr;  // the parallel construct, or else the function
  const Directive* parallel = nullptr;
};

Region region_of(const Directive& directive, const Node& loop) {
  for (const Node* node = &loop;; node = node->parent) {
    for (auto around = node->around.rbegin(); around != node->around.rend(); ++around)
      if (*around != &directive && (*around)->begin < directive.begin &&
          (*around)->names("parallel"))
        return {node, *around};
    if (node->kind == Node::kFunction || node->parent == nullptr) return {node, nullptr};
  }
}

class Sharing {
 public:
  Sharing(const View& view, const Directive& directive, const Node& loop)
      : view_(view), directive_(directive), loop_(loop), region_(region_of(directive, loop)) {}

  std::optional<std::string> problem() const {
    std::optional<std::string> found;
    std::set<std::pair<std::string, size_t>> seen;
    for_each(loop_, [&](const Node& node) {
      if (found) return;
      if (node.kind == Node::kThis && region_.parallel == nullptr)
        found =
            "it uses the object's members outside of a parallel construct: each thread may have "
            "another object";
      if (node.kind == Node::kUse && seen.emplace(node.name, node.declared_at).second)
        found = used_problem(node);
    });
    return found;
  }

 private:
  bool own(const Node& use) const { return !use.global && loop_.range.holds(use.declared_at); }

  bool per_thread(const Node& use) const {
    if (region_.parallel != nullptr &&
        lists(*region_.parallel,
              {"private", "firstprivate", "lastprivate", "reduction", "linear", "copyin"},
              use.name))
      return true;
    if (use.global) return false;
    return region_.parallel == nullptr || region_.node->range.holds(use.declared_at);
  }

  std::string it_is(const std::string& name) const {
    return region_.parallel == nullptr
               ? fmt::format("'{}' is local to the function that each thread calls", name)
               : fmt::format("'{}' is private to each thread of the region", name);
  }

  std::optional<std::string> used_problem(const Node& use) const {
    if (own(use) || !per_thread(use)) return std::nullopt;
    if (lists(directive_, {"private"}, use.name)) return std::nullopt;
    if (has_goto() || FirstUse(view_.text, use).in_iteration_of(loop_) != First::kSets)
      return it_is(use.name) + ": all tasks would get one thread's copy";
    if (read_later(use))
      return it_is(use.name) + " and is read after the loop: tasks would change only copies of it";
    return std::nullopt;
  }

  // A goto may skip what comes first in the text.
  bool has_goto() const {
    bool found = false;
    for_each(loop_, [&](const Node& node) { found = found || node.kind == Node::kGoto; });
    return found;
  }

  bool read_later(const Node& use) const {
    First first = First::kNothing;
    const FirstUse finder(view_.text, use);
    after(*region_.node, [&](const Node& node) {
      if (first == First::kNothing) first = finder.in(node, true);
    });
    return first == First::kReads;
  }

  // Calls `visit` for the code after the loop in the region, in the largest pieces; and for a loop
  // around it, which comes back to its beginning.
  template <typename Visit>
  void after(const Node& top, const Visit& visit) const {
    for (const Node* node = &loop_; node != &top && node->parent != nullptr; node = node->parent) {
      bool behind = false;
      for (const auto& sibling : node->parent->children) {
        if (behind) visit(*sibling);
        behind = behind || sibling.get() == node;
      }
      if (node->parent->kind == Node::kFor || node->parent->kind == Node::kWhile)
        visit(*node->parent);
    }
  }

  const View& view_;
  const Directive& directive_;
  const Node& loop_;
  Region region_;
};

}  // namespace

std::optional<std::string> needs_own_thread(const View& view, const Directive& directive,
                                            const Node& loop) {
  return Sharing(view, directive, loop).problem();
}

}  // namespace vicino::convert
