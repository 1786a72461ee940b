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

// In these no loop of the enclosing region can be met: the standard forbids it.
bool holds_no_loops(const Directive& directive) {
  static constexpr std::string_view kNames[] = {"for",      "sections", "single", "task",
                                                "taskloop", "critical", "master", "masked",
                                                "ordered",  "atomic",   "loop"};
  return std::ranges::any_of(kNames, [&](std::string_view name) { return directive.names(name); });
}

class Walk {
 public:
  Walk(const Functions& functions, Ties& ties) : functions_(functions), ties_(ties) {}

  // A function that nobody has called yet: it may be called anywhere.
  void start(const Function& function) {
    for (const Site& site : run(function, {}))
      tie(site, "nowait: the function ends before a barrier, and what follows is not seen");
  }

 private:
  // What is open when the function returns.
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
    do {  // once more for what a goto takes to a label before it
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

  // From the `depth`th of the directives around the node on.
  void walk(const Node& node, size_t depth, Open& open) {
    if (depth == node.around.size()) {
      statement(node, open);
      return;
    }
    const Directive& directive = *node.around[depth];
    if (directive.names("parallel") || directive.names("target") || directive.names("teams")) {
      Open inner;  // a team of its own, which meets at the end
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
        branches(node, open);
        break;
      case Node::kSwitch:
        choice(node, open);
        break;
      case Node::kFor:
      case Node::kWhile:
        loop(node, open);
        break;
      case Node::kCompound: {
        const size_t outer = frame_.at_end.size();
        children(node, open);
        end_blocks(outer, open);
        frame_.at_end.resize(outer);
        break;
      }
      case Node::kAtEnd:
        frame_.at_end.push_back(&node);
        break;
      case Node::kBreak:
        end_blocks(0, open);
        leave(frame_.left, open);
        break;
      case Node::kContinue:
        end_blocks(0, open);
        leave(frame_.next, open);
        break;
      case Node::kReturn:
        children(node, open);
        end_blocks(0, open);
        leave(frame_.returned, open);
        break;
      case Node::kGoto:
        end_blocks(0, open);
        leave(frame_.gone, open);
        break;
      case Node::kLabel:
        join(open, frame_.gone);
        children(node, open);
        break;
      case Node::kCase:
        join(open, frame_.chosen);
        children(node, open);
        break;
      case Node::kDirective:
        if (node.directive->is("barrier")) open.clear();
        break;
      case Node::kCall:
        for (const auto& child : node.children)
          if (child->kind != Node::kAtEnd) walk(*child, open);
        call(node, open);
        for (const auto& child : node.children)  // of what it gives
          if (child->kind == Node::kAtEnd) maybe(*child, open);
        break;
      case Node::kFunction:  // a lambda: called here, later or never
      case Node::kMaybe:
        maybe(node, open);
        break;
      default:
        children(node, open);
    }
  }

  void maybe(const Node& node, Open& open) {
    Open inside = open;
    children(node, inside);
    join(open, inside);
  }

  // From the innermost to the `outer`th of what is to run at blocks' ends. A jump may leave fewer
  // blocks than all: as nothing there is sure to run, that makes no loop convertible.
  void end_blocks(size_t outer, Open& open) {
    for (size_t i = frame_.at_end.size(); i > outer; --i) maybe(*frame_.at_end[i - 1], open);
  }

  // What follows a jump is reached from elsewhere, if at all.
  static void leave(Open& to, Open& open) {
    join(to, open);
    open.clear();
  }

  void branches(const Node& node, Open& open) {
    const auto parts = static_cast<ptrdiff_t>(node.children.size());
    // A condition, two ways; or a declaration in the place of one of these, which changes nothing.
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
    if (frame_.closed > 0 || node.outside) return;
    const auto called = functions_.find(node.function);
    if (called != functions_.end()) {
      open = run(called->second, open);
      return;
    }
    for (const Site& site : open)
      tie(site,
          fmt::format("nowait: '{}', which is called before the next barrier, cannot be seen: "
                      "a loop there may rely on the same static distribution",
                      node.name.empty() ? "a function" : node.name));
  }

  void meet(const Directive& loop, const Open& open) {
    if (!is_static(loop)) return;
    const size_t line = line_of(view_->text, loop.begin);
    for (const Site& site : open) {
      tie(site, fmt::format("nowait: the loop at {}, which no barrier parts from it, may rely on "
                            "the same static distribution",
                            name_of(view_->path, line, site.path)));
      tie(Site{view_->path, loop.begin},
          fmt::format("no barrier parts it from the nowait loop at {}: it may rely on the same "
                      "static distribution",
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
  // Without it a function would be walked once for each way by which it is reached.
  std::map<std::pair<const Node*, Open>, Open> known_;
};

}  // namespace

bool is_static(const Directive& loop) {
  const Clause* schedule = loop.clause("schedule");
  if (schedule == nullptr) return true;
  // Another word may be a macro for `static`.
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
