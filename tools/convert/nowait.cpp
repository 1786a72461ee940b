#include "nowait.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "source.hpp"

namespace vicino::convert {
namespace {

using Open = std::set<Site>;

struct Function {
  const Node* node;
  const View* view;
};
using Functions = std::map<std::string, Function>;

void join(Open& to, const Open& from) { to.insert(from.begin(), from.end()); }

bool worksharing(const Directive& directive) {
  return !directive.names("parallel") &&
         (directive.is_loop() || directive.is("sections") || directive.is("single") ||
          directive.is("scope") || directive.is("workshare") || directive.is("loop"));
}

// Directives inside of which the standard forbids loops of the enclosing region.
bool holds_no_loops(const Directive& directive) {
  static constexpr std::string_view kNames[] = {"for",      "sections", "single", "task",
                                                "taskloop", "critical", "master", "masked",
                                                "ordered",  "atomic",   "loop"};
  return std::ranges::any_of(kNames, [&](std::string_view name) { return directive.names(name); });
}

class Walk {
 public:
  Walk(const Functions& functions, Ties& ties) : functions_(functions), ties_(ties) {}

  // Walks a function without a known caller: it may be called anywhere.
  void start(const Function& function) {
    for (const Site& site : run(function, {}))
      tie(site, "nowait: the function ends before a barrier, and the code after it is not known");
  }

 private:
  // Walks a function that is called; returns the loops that are open when it returns.
  Open run(const Function& function, const Open& open) {
    if (std::ranges::find(running_, function.node) != running_.end()) {
      for (const Site& site : open)
        tie(site,
            fmt::format("nowait: '{}' calls itself before the next barrier", function.node->name));
      return open;
    }
    const auto known = known_.find({function.node, open});
    if (known != known_.end()) return known->second;
    running_.push_back(function.node);
    const View* caller = std::exchange(view_, function.view);
    Frame frame;
    std::swap(frame, frame_);
    Open out, before;
    do {  // again if a goto takes open loops to a label before it
      before = frame_.gone;
      out = open;
      children(*function.node, out);
    } while (before != frame_.gone);
    join(out, frame_.returned);
    std::swap(frame, frame_);
    view_ = caller;
    running_.pop_back();
    known_.emplace(std::pair(function.node, open), out);
    return out;
  }

  void children(const Node& node, Open& open) {
    for (const auto& child : node.children) walk(*child, open);
  }

  void walk(const Node& node, Open& open) { walk(node, 0, open); }

  // Walks a node with the directives around it, from the `depth`th on.
  void walk(const Node& node, size_t depth, Open& open) {
    if (depth == node.around.size()) {
      statement(node, open);
      return;
    }
    const Directive& directive = *node.around[depth];
    if (directive.names("parallel") || directive.names("target") || directive.names("teams")) {
      Open inner;  // a team of its own, with a barrier at the end
      const size_t closed = std::exchange(frame_.closed, 0);
      walk(node, depth + 1, inner);
      frame_.closed = closed;
      return;
    }
    if (directive.is_loop()) meet(directive, open);
    frame_.closed += holds_no_loops(directive) ? 1 : 0;
    walk(node, depth + 1, open);
    frame_.closed -= holds_no_loops(directive) ? 1 : 0;
    if (!worksharing(directive)) return;
    if (directive.clause("nowait") == nullptr)
      open.clear();
    else if (directive.is_loop() && is_static(directive))
      open.insert(Site{view_->path, directive.begin});
  }

  void statement(const Node& node, Open& open) {
    switch (node.kind) {
      case Node::kIf:
        return branches(node, open);
      case Node::kSwitch:
        return choice(node, open);
      case Node::kFor:
      case Node::kWhile:
        return loop(node, open);
      case Node::kCompound:
        return block(node, open);
      case Node::kAtEnd:
        frame_.at_end.push_back(&node);
        return;
      case Node::kBreak:
        return jump(frame_.left, open);
      case Node::kContinue:
        return jump(frame_.next, open);
      case Node::kReturn:
        children(node, open);
        return jump(frame_.returned, open);
      case Node::kGoto:
        return jump(frame_.gone, open);
      case Node::kLabel:
        return target(node, frame_.gone, open);
      case Node::kCase:
        return target(node, frame_.chosen, open);
      case Node::kDirective:
        if (node.directive->is("barrier")) open.clear();
        return;
      case Node::kCall:
        return call(node, open);
      case Node::kFunction:  // a lambda: called here, later or never
      case Node::kMaybe:
        return maybe(node, open);
      default:
        return children(node, open);
    }
  }

  void maybe(const Node& node, Open& open) {
    Open inside = open;
    children(node, inside);
    join(open, inside);
  }

  // Walks what runs at the ends of blocks, from the innermost to the `outer`th. A jump may leave
  // fewer blocks. Since nothing there is sure to run, walking too much makes no loop convertible.
  void end_blocks(size_t outer, Open& open) {
    for (size_t i = frame_.at_end.size(); i > outer; --i) maybe(*frame_.at_end[i - 1], open);
  }

  void block(const Node& node, Open& open) {
    const size_t outer = frame_.at_end.size();
    children(node, open);
    end_blocks(outer, open);
    frame_.at_end.resize(outer);
  }

  // The code behind a jump is reached from elsewhere, if at all.
  void jump(Open& to, Open& open) {
    end_blocks(0, open);
    join(to, open);
    open.clear();
  }

  // What follows a label or a case, which jumps may reach with the loops `from`.
  void target(const Node& node, const Open& from, Open& open) {
    join(open, from);
    children(node, open);
  }

  void branches(const Node& node, Open& open) {
    const auto parts = static_cast<ptrdiff_t>(node.children.size());
    // A condition and two ways. A declaration may take the place of one of these, which changes
    // nothing.
    const ptrdiff_t ways = parts >= 3 ? 2 : 1;
    for (ptrdiff_t i = 0; i < parts - ways; ++i) walk(*node.children[i], open);
    Open joined;
    if (ways == 1) joined = open;
    for (ptrdiff_t i = parts - ways; i < parts; ++i) {
      Open way = open;
      walk(*node.children[i], way);
      join(joined, way);
    }
    open = std::move(joined);
  }

  void choice(const Node& node, Open& open) {
    Open left = std::exchange(frame_.left, {});
    Open chosen = std::exchange(frame_.chosen, open);
    Open through = open;
    children(node, through);
    join(open, through);  // there may be no case for the value
    join(open, frame_.left);
    frame_.left = std::move(left);
    frame_.chosen = std::move(chosen);
  }

  void loop(const Node& node, Open& open) {
    Open left = std::exchange(frame_.left, {});
    Open next = std::exchange(frame_.next, {});
    Open before;
    do {
      before = open;
      Open way = open;
      children(node, way);
      join(open, way);
      join(open, frame_.next);
      join(open, frame_.left);
    } while (before != open);
    frame_.left = std::move(left);
    frame_.next = std::move(next);
  }

  void call(const Node& node, Open& open) {
    for (const auto& child : node.children)
      if (child->kind != Node::kAtEnd) walk(*child, open);
    called(node, open);
    for (const auto& child : node.children)  // destructors of its result
      if (child->kind == Node::kAtEnd) maybe(*child, open);
  }

  // The function that a call enters.
  void called(const Node& node, Open& open) {
    if (frame_.closed > 0 || node.outside) return;
    const auto function = functions_.find(node.function);
    if (function != functions_.end()) {
      open = run(function->second, open);
      return;
    }
    for (const Site& site : open)
      tie(site, fmt::format("nowait: '{}', which is called before the next barrier, is not known: "
                            "a loop there may rely on the same static distribution",
                            node.name.empty() ? "a function" : node.name));
  }

  void meet(const Directive& loop, const Open& open) {
    if (!is_static(loop)) return;
    const size_t line = line_of(view_->text, loop.begin);
    for (const Site& site : open) {
      tie(site, fmt::format("nowait: no barrier separates it from the loop at {}, which may rely "
                            "on the same static distribution",
                            name_of(view_->path, line, site.path)));
      tie(Site{view_->path, loop.begin},
          fmt::format("no barrier separates it from the nowait loop at {}: it may rely on the "
                      "same static distribution",
                      name_of(site.path, line_at(site), view_->path)));
    }
  }

  size_t line_at(const Site& site) const {
    for (const auto& [name, function] : functions_)
      if (function.view->path == site.path) return line_of(function.view->text, site.offset);
    return line_of(view_->text, site.offset);
  }

  static std::string name_of(const std::string& path, size_t line, const std::string& seen_from) {
    if (path == seen_from) return fmt::format("line {}", line);
    return fmt::format("{}:{}", std::filesystem::path(path).filename().string(), line);
  }

  void tie(const Site& site, const std::string& reason) { ties_.try_emplace(site, reason); }

  struct Frame {
    Open left;      // by a break
    Open next;      // by a continue
    Open chosen;    // what the innermost switch begins with
    Open returned;  // by a return
    Open gone;      // by a goto
    std::vector<const Node*> at_end;
    size_t closed = 0;
  };

  const Functions& functions_;
  Ties& ties_;
  Frame frame_;
  const View* view_ = nullptr;
  std::vector<const Node*> running_;
  // A cache: without it a function would be walked once for each path that reaches it.
  std::map<std::pair<const Node*, Open>, Open> known_;
};

}  // namespace

bool is_static(const Directive& loop) {
  const Clause* schedule = loop.clause("schedule");
  if (schedule == nullptr) return true;
  // Any other word may be a macro for `static`.
  static constexpr std::string_view kOthers[] = {"dynamic", "guided", "auto", "runtime"};
  return std::ranges::none_of(schedule->arguments, [](const Token& token) {
    return std::ranges::find(kOthers, token.text) != std::end(kOthers);
  });
}

Ties find_ties(const std::vector<Unit>& units) {
  Functions functions;
  for (const Unit& unit : units)
    for (const auto& view : unit.views)
      for (const auto& node : view->functions)
        functions.try_emplace(node->function, Function{node.get(), view.get()});
  Ties ties;
  Walk walk(functions, ties);
  for (const Unit& unit : units)
    for (const auto& view : unit.views)
      for (const auto& node : view->functions) walk.start({node.get(), view.get()});
  return ties;
}

}  // namespace vicino::convert
