// syntax.hpp: a function's statements with its directives among them.
//
// Why    The questions that are asked here (is there a barrier between two loops, which thread's
//        variable is this) need statements and directives in one tree. libclang has such a tree
//        only without the contents of regions. So libclang reads sources as programs without
//        OpenMP, and each directive of the text is attached to the statement that follows it.
// What   The tree has only what the questions need: a node of any other kind is kOther. (Here a
//        node is a node of this tree.)
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "directive.hpp"

namespace vicino::convert {

struct Range {
  size_t begin = 0, end = 0;
  bool holds(size_t offset) const { return begin <= offset && offset < end; }
};

struct Node {
  enum Kind {
    kFunction,  // or a lambda, or the initialiser of a variable outside of functions
    kCompound,
    kFor,
    kWhile,  // and the other loops
    kIf,
    kSwitch,
    kBreak,
    kContinue,
    kReturn,
    kGoto,
    kLabel,
    kCase,  // and default
    kCall,
    kDeclaration,
    kUse,     // of a variable
    kThis,    // `this`, written or implied
    kAssign,  // `=` alone
    kComma,
    kMaybe,      // code that need not run: the second operand of &&, the operand of sizeof
    kAtEnd,      // destructors: they may run at the end of the block around them or after the call
    kDirective,  // a directive without a statement
    kOther
  };
  Kind kind = kOther;
  Range range;
  bool in_macro = false;  // then the range is that of the macro's use
  Node* parent = nullptr;
  std::vector<std::unique_ptr<Node>> children;  // in the order of the text
  std::vector<const Directive*> around;         // the outermost first
  const Directive* directive = nullptr;         // of a kDirective

  std::string name;        // of a variable, or of what is called
  std::string function;    // of a kFunction and a kCall: equal if the one calls the other
  bool outside = false;    // of a kCall: the compiler made the function; or it is in a system
                           // header and gets nothing of the program that it could call
  bool global = false;     // of a kUse: neither a local variable nor a parameter
  size_t declared_at = 0;  // of a kUse that is not global
};

// One file as one compilation sees it.
struct View {
  std::string path;  // canonical
  std::string text;
  bool system = false;
  Directives directives;
  std::vector<Range> off;                // code that an #if leaves out
  std::map<size_t, std::string> macros;  // where each macro is used
  std::vector<std::unique_ptr<Node>> functions;
};

// Attaches the directives of the view to the statements of its functions.
void attach_directives(View& view);

// The loop that a directive is for; null if it is not in a function of the view.
const Node* node_of(const View& view, const Directive& directive);

// Calls `visit` for the node and all below it, in the order of the text.
template <typename Visit>
void for_each(const Node& node, const Visit& visit) {
  visit(node);
  for (const auto& child : node.children) for_each(*child, visit);
}

}  // namespace vicino::convert
