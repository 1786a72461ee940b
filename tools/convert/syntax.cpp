#include "syntax.hpp"

#include <algorithm>

#include "base/stable_sort.hpp"

namespace vicino::convert {
namespace {

using Next = std::vector<Directive>::const_iterator;

std::unique_ptr<Node> alone(const Directive& directive, Node& parent) {
  auto node = std::make_unique<Node>();
  node->kind = Node::kDirective;
  node->range = {directive.begin, directive.end};
  node->parent = &parent;
  node->directive = &directive;
  return node;
}

// `next` is the first directive that is not before the node.
void attach(Node& node, Next& next, Next end) {
  std::vector<std::unique_ptr<Node>> children;
  for (auto& child : node.children) {
    for (; next != end && next->begin < child->range.begin; ++next)
      if (next->stands_alone())
        children.push_back(alone(*next, node));
      else
        child->around.push_back(&*next);
    attach(*child, next, end);
    children.push_back(std::move(child));
  }
  for (; next != end && next->begin < node.range.end; ++next)
    children.push_back(alone(*next, node));
  node.children = std::move(children);
}

}  // namespace

void attach_directives(View& view) {
  const std::vector<Directive>& all = view.directives.all;
  vicino::stable_sort(view.functions, [](const auto& node) { return node->range.begin; });
  for (const auto& function : view.functions) {
    const auto inside = [&](const Directive& each) { return each.begin >= function->range.begin; };
    Next next = std::find_if(all.begin(), all.end(), inside);
    attach(*function, next, all.end());
  }
}

const Node* node_of(const View& view, const Directive& directive) {
  const Node* found = nullptr;
  for (const auto& function : view.functions) {
    if (!function->range.holds(directive.begin)) continue;
    for_each(*function, [&](const Node& node) {
      if (std::ranges::find(node.around, &directive) != node.around.end()) found = &node;
    });
  }
  return found;
}

}  // namespace vicino::convert
