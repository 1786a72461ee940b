// syntax.hpp: a function's statements with its directives among them.
//
// Why    What is asked here (is there a barrier between two loops, whose variable is this) needs
//        statements and directives in one tree. libclang has such a tree only without the regions'
//        insides, so sources are read by it as programs without OpenMP, and each directive of the
//        text is hung on the statement that follows it.
// What   Only what the questions need: nodes whose kind nobody asks for are kOther.
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
    kFunction,  // or a lambda, or what initialises a variable outside of functions
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
    kThis,    // `this`, said or not
    kAssign,  // `=` alone
    kComma,
    kMaybe,      // what need not run: the second operand of &&, what sizeof measures
    kAtEnd,      // destructors: they may run when the block around it is left, or after the call
    kDirective,  // one without a statement
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
  std::string function;    // of a kFunction and a kCall: the same for both if one calls the other
  bool outside = false;    // of a kCall: made by the compiler, or of a system header, and not given
                           // anything of the program's to call
  bool global = false;     // of a kUse: neither a local variable nor a parameter
  size_t declared_at = 0;  // of a kUse that is not global
};

// One file as one compilation sees it.
struct View {
  std::string path;  // canonical
  std::string text;
  bool system = false;
  Directives directives;
  std::vector<Range> off;                // where an #if is off
  std::map<size_t, std::string> macros;  // where each macro is used
  std::vector<std::unique_ptr<Node>> functions;
};

// Hangs the directives of the view on its functions' statements.
void attach_directives(View& view);

// The loop that a directive is for, or nothing if it is not in a function of the view.
const Node* node_of(const View& view, const Directive& directive);

// Calls `visit` for the node and all below it, in the order of the text.
template <typename Visit>
void for_each(const Node& node, const Visit& visit) {
  visit(node);
  for (const auto& child : node.children) for_each(*child, visit);
}

}  // namespace vicino::convert
