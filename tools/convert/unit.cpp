#include "unit.hpp"

#include <clang-c/CXCompilationDatabase.h>
#include <clang-c/Index.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>

#include "base/stable_sort.hpp"

namespace vicino::convert {
namespace {

std::string taken(CXString text) {
  const char* chars = clang_getCString(text);
  std::string copy = chars == nullptr ? "" : chars;
  clang_disposeString(text);
  return copy;
}

using Tree = std::unique_ptr<CXTranslationUnitImpl, decltype(&clang_disposeTranslationUnit)>;
using Index = std::unique_ptr<void, decltype(&clang_disposeIndex)>;

constexpr size_t kErrorsShown = 3;

enum class Errors { kAll, kOutsideOfSystemHeaders };

std::string errors_of(CXTranslationUnit tree, Errors which) {
  std::string errors;
  size_t count = 0;
  for (unsigned i = 0; i < clang_getNumDiagnostics(tree) && count < kErrorsShown; ++i) {
    CXDiagnostic diagnostic = clang_getDiagnostic(tree, i);
    const bool counts = which == Errors::kAll || clang_Location_isInSystemHeader(
                                                     clang_getDiagnosticLocation(diagnostic)) == 0;
    if (counts && clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
      errors += (errors.empty() ? "" : "\n") +
                taken(clang_formatDiagnostic(
                    diagnostic, CXDiagnostic_DisplaySourceLocation | CXDiagnostic_DisplayColumn));
      ++count;
    }
    clang_disposeDiagnostic(diagnostic);
  }
  return errors;
}

Tree read(CXIndex index, const Compilation& compilation, const std::vector<const char*>& more,
          const std::map<std::string, std::string>& texts = {}) {
  std::vector<const char*> arguments;
  for (const std::string& flag : compilation.flags) arguments.push_back(flag.c_str());
  arguments.insert(arguments.end(), more.begin(), more.end());
  arguments.push_back("-w");
  std::vector<CXUnsavedFile> unsaved;
  for (const auto& [name, text] : texts)
    unsaved.push_back({name.c_str(), text.data(), static_cast<unsigned long>(text.size())});
  CXTranslationUnit tree = nullptr;
  const CXErrorCode error = clang_parseTranslationUnit2(
      index, compilation.file.c_str(), arguments.data(), static_cast<int>(arguments.size()),
      unsaved.data(), static_cast<unsigned>(unsaved.size()),
      CXTranslationUnit_DetailedPreprocessingRecord, &tree);
  if (error == CXError_ASTReadError)
    throw CannotParse(
        "its name does not tell the language, C or C++: `-- -x c` or `-- -x c++` does");
  if (error != CXError_Success)
    throw CannotParse(fmt::format("libclang gives no reason (error {})", static_cast<int>(error)));
  return {tree, &clang_disposeTranslationUnit};
}

const std::vector<const char*> kWithOpenMP = {"-fopenmp"};
// A program sees by this macro that OpenMP is on; clang 19's -fopenmp defines the same.
const std::vector<const char*> kWithoutOpenMP = {"-fno-openmp", "-D_OPENMP=202011"};

struct Place {
  CXFile file = nullptr;
  size_t offset = 0;
};

Place place_of(CXSourceLocation location) {
  Place place;
  unsigned offset = 0;
  clang_getFileLocation(location, &place.file, nullptr, nullptr, &offset);
  place.offset = offset;
  return place;
}

std::string path_of(CXFile file) {
  std::string path = taken(clang_File_tryGetRealPathName(file));
  if (path.empty()) path = taken(clang_getFileName(file));
  std::error_code error;
  const auto canonical = std::filesystem::weakly_canonical(path, error);
  return error ? path : canonical.string();
}

// Calls `visit` for each child.
void for_children(CXCursor cursor, const std::function<void(CXCursor)>& visit) {
  clang_visitChildren(
      cursor,
      [](CXCursor child, CXCursor, CXClientData data) {
        (*static_cast<const std::function<void(CXCursor)>*>(data))(child);
        return CXChildVisit_Continue;
      },
      const_cast<void*>(static_cast<const void*>(&visit)));
}

std::vector<Token> tokens_of(CXTranslationUnit tree, CXFile file, std::string_view text) {
  const CXSourceRange all =
      clang_getRange(clang_getLocationForOffset(tree, file, 0),
                     clang_getLocationForOffset(tree, file, static_cast<unsigned>(text.size())));
  CXToken* raw = nullptr;
  unsigned count = 0;
  clang_tokenize(tree, all, &raw, &count);
  std::vector<Token> tokens;
  for (unsigned i = 0; i < count; ++i) {
    const CXSourceRange range = clang_getTokenExtent(tree, raw[i]);
    const size_t begin = place_of(clang_getRangeStart(range)).offset;
    const size_t end = place_of(clang_getRangeEnd(range)).offset;
    if (end <= begin || end > text.size()) continue;
    Token::Kind kind = Token::kMark;
    switch (clang_getTokenKind(raw[i])) {
      case CXToken_Comment:
        kind = Token::kComment;
        break;
      case CXToken_Literal:
        kind = Token::kLiteral;
        break;
      case CXToken_Identifier:
      case CXToken_Keyword:
        kind = Token::kWord;
        break;
      case CXToken_Punctuation:
        break;
    }
    tokens.push_back({kind, text.substr(begin, end - begin), begin, end});
  }
  clang_disposeTokens(tree, raw, count);
  return tokens;
}

bool is_lambda(CXType type) {
  return taken(clang_getTypeSpelling(type)).find("(lambda at ") != std::string::npos;
}

bool has_call_operator(CXCursor declared) {
  const CXCursor pattern = clang_getSpecializedCursorTemplate(declared);
  bool found = false;
  for_children(clang_Cursor_isNull(pattern) != 0 ? declared : pattern, [&](CXCursor each) {
    const CXCursorKind kind = clang_getCursorKind(each);
    if (kind == CXCursor_CXXBaseSpecifier)
      found = found || has_call_operator(clang_getTypeDeclaration(
                           clang_getCanonicalType(clang_getCursorType(each))));
    if (kind == CXCursor_CXXMethod || kind == CXCursor_FunctionTemplate)
      found = found || taken(clang_getCursorSpelling(each)) == "operator()";
  });
  return found;
}

// Whether the type is a function, a pointer to one, a class with an operator(), or a class of the
// library about one of these. A type that is not yet known may be one.
bool can_be_called(CXType type, int depth) {
  constexpr int kDeepest = 8;
  if (depth == kDeepest) return true;
  type = clang_getCanonicalType(type);
  switch (type.kind) {
    case CXType_FunctionProto:
    case CXType_FunctionNoProto:
    case CXType_MemberPointer:
    case CXType_BlockPointer:
    case CXType_Dependent:
    case CXType_Unexposed:
      return true;
    case CXType_Pointer:
    case CXType_LValueReference:
    case CXType_RValueReference:
      return can_be_called(clang_getPointeeType(type), depth + 1);
    case CXType_ConstantArray:
    case CXType_IncompleteArray:
    case CXType_VariableArray:
      return can_be_called(clang_getArrayElementType(type), depth + 1);
    case CXType_Record:
      break;
    default:
      return false;
  }
  for (int i = 0; i < clang_Type_getNumTemplateArguments(type); ++i)
    if (can_be_called(clang_Type_getTemplateArgumentAsType(type, static_cast<unsigned>(i)),
                      depth + 1))
      return true;
  const CXCursor declared = clang_getTypeDeclaration(type);
  if (clang_Location_isInSystemHeader(clang_getCursorLocation(declared)) != 0) return false;
  return is_lambda(type) || has_call_operator(declared);
}

// Whether the expression names a function of a system header, such as `endl`.
bool is_of_system(CXCursor expression) {
  const CXCursor meant = clang_getCursorReferenced(expression);
  return clang_getCursorKind(meant) == CXCursor_FunctionDecl &&
         clang_Location_isInSystemHeader(clang_getCursorLocation(meant)) != 0;
}

// Whether the object or an argument of the call is, or holds, something that the called function
// might call.
bool is_given_a_function(CXCursor call, CXCursor called) {
  const CXCursor owner = clang_getCursorSemanticParent(called);
  if (clang_isDeclaration(clang_getCursorKind(owner)) != 0 &&
      can_be_called(clang_getCursorType(owner), 0))
    return true;
  for (int i = 0; i < clang_Cursor_getNumArguments(call); ++i) {
    const CXCursor argument = clang_Cursor_getArgument(call, static_cast<unsigned>(i));
    if (can_be_called(clang_getCursorType(argument), 0) && !is_of_system(argument)) return true;
  }
  return false;
}

// Whether the constructor is implicit: then it has the location of its class.
bool made_by_compiler(CXCursor called) {
  return clang_getCursorKind(called) == CXCursor_Constructor &&
         clang_equalLocations(clang_getCursorLocation(called),
                              clang_getCursorLocation(clang_getCursorSemanticParent(called))) != 0;
}

void describe_call(Node& node, CXCursor cursor) {
  node.name = taken(clang_getCursorSpelling(cursor));
  CXCursor called = clang_getCursorReferenced(cursor);
  const CXCursorKind kind = clang_getCursorKind(called);
  // A function pointer is a variable. The meaning of an overloaded name in a template is not yet
  // known.
  if (clang_isInvalid(kind) != 0 || kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl ||
      kind == CXCursor_FieldDecl || clang_CXXMethod_isVirtual(called) != 0)
    return;
  const bool may_call = is_given_a_function(cursor, called);
  const CXCursor pattern = clang_getSpecializedCursorTemplate(called);
  if (clang_Cursor_isNull(pattern) == 0) called = pattern;
  const CXSourceLocation location = clang_getCursorLocation(called);
  const bool of_system =
      place_of(location).file == nullptr || clang_Location_isInSystemHeader(location) != 0;
  node.outside = (of_system && !may_call) || clang_CXXMethod_isDefaulted(called) != 0 ||
                 made_by_compiler(called);
  node.function = taken(clang_getCursorUSR(called));
}

void describe_use(Node& node, CXCursor cursor) {
  const CXCursor variable = clang_getCursorReferenced(cursor);
  switch (clang_getCursorKind(variable)) {
    case CXCursor_VarDecl:
      node.global = clang_Cursor_hasVarDeclGlobalStorage(variable) == 1;
      break;
    case CXCursor_ParmDecl:
    case CXCursor_UnexposedDecl:  // a structured binding
      break;
    default:
      return;
  }
  node.kind = Node::kUse;
  node.name = taken(clang_getCursorSpelling(variable));
  node.declared_at = place_of(clang_getCursorLocation(variable)).offset;
}

// Describes x of this->x where `this` is not written.
void describe_member(Node& node, CXCursor cursor) {
  const CXCursor member = clang_getCursorReferenced(cursor);
  if (clang_getCursorKind(member) == CXCursor_VarDecl || clang_CXXMethod_isStatic(member) != 0)
    return;
  bool has_object = false;
  for_children(cursor, [&](CXCursor each) {
    has_object = has_object || clang_isExpression(clang_getCursorKind(each)) != 0;
  });
  if (!has_object) node.kind = Node::kThis;
}

void describe_declaration(Node& node, CXCursor cursor) {
  node.name = taken(clang_getCursorSpelling(cursor));
  node.declared_at = place_of(clang_getCursorLocation(cursor)).offset;
}

void describe_operator(Node& node, CXCursor cursor) {
  const auto kind = clang_getCursorBinaryOperatorKind(cursor);
  if (kind == CXBinaryOperator_Assign) node.kind = Node::kAssign;
  if (kind == CXBinaryOperator_Comma) node.kind = Node::kComma;
}

// A construct that the questions are about. The others stay kOther.
struct Construct {
  CXCursorKind cursor;
  Node::Kind node;                              // kOther: `describe` decides
  void (*describe)(Node&, CXCursor) = nullptr;  // for more than the kind
};

constexpr Construct kConstructs[] = {
    {CXCursor_CompoundStmt, Node::kCompound},
    {CXCursor_ForStmt, Node::kFor},
    {CXCursor_WhileStmt, Node::kWhile},
    {CXCursor_DoStmt, Node::kWhile},
    {CXCursor_CXXForRangeStmt, Node::kWhile},
    {CXCursor_IfStmt, Node::kIf},
    {CXCursor_SwitchStmt, Node::kSwitch},
    {CXCursor_BreakStmt, Node::kBreak},
    {CXCursor_ContinueStmt, Node::kContinue},
    {CXCursor_LabelStmt, Node::kLabel},
    {CXCursor_CaseStmt, Node::kCase},
    {CXCursor_DefaultStmt, Node::kCase},
    {CXCursor_ReturnStmt, Node::kReturn},
    {CXCursor_GotoStmt, Node::kGoto},
    {CXCursor_IndirectGotoStmt, Node::kGoto},
    {CXCursor_LambdaExpr, Node::kFunction},
    {CXCursor_CXXThisExpr, Node::kThis},
    {CXCursor_CallExpr, Node::kCall, describe_call},
    {CXCursor_DeclRefExpr, Node::kOther, describe_use},
    {CXCursor_MemberRefExpr, Node::kOther, describe_member},
    {CXCursor_VarDecl, Node::kDeclaration, describe_declaration},
    {CXCursor_ParmDecl, Node::kDeclaration, describe_declaration},
    {CXCursor_BinaryOperator, Node::kOther, describe_operator},
};

void describe(Node& node, CXCursor cursor) {
  const auto* construct =
      std::ranges::find(kConstructs, clang_getCursorKind(cursor), &Construct::cursor);
  if (construct == std::end(kConstructs)) return;
  node.kind = construct->node;
  if (construct->describe != nullptr) construct->describe(node, cursor);
}

// Builds the views' functions out of libclang's cursors.
class Builder {
 public:
  Builder(CXTranslationUnit tree, const std::vector<std::unique_ptr<View>>& views)
      : tree_(tree), views_(views) {}

  void build() {
    for_children(clang_getTranslationUnitCursor(tree_), [this](CXCursor each) { outside(each); });
  }

 private:
  View* view_of(CXFile file) {
    if (file == nullptr) return nullptr;
    const auto [known, added] = of_file_.try_emplace(file, nullptr);
    if (added) {
      const auto found =
          std::ranges::find(views_, path_of(file), [](const auto& v) { return v->path; });
      if (found != views_.end()) known->second = found->get();
    }
    return known->second;
  }

  // A declaration that is not in a function.
  void outside(CXCursor cursor) {
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)) != 0) return;
    const CXCursorKind kind = clang_getCursorKind(cursor);
    switch (kind) {
      case CXCursor_FunctionDecl:
      case CXCursor_FunctionTemplate:
      case CXCursor_CXXMethod:
      case CXCursor_Constructor:
      case CXCursor_Destructor:
      case CXCursor_ConversionFunction:
        if (clang_isCursorDefinition(cursor) != 0) function(cursor);
        break;
      case CXCursor_VarDecl:
      case CXCursor_FieldDecl:
        function(cursor);
        break;
      default:
        if (clang_isDeclaration(kind) != 0 || kind == CXCursor_UnexposedDecl)
          for_children(cursor, [this](CXCursor each) { outside(each); });
    }
  }

  void function(CXCursor cursor) {
    view_ = view_of(place_of(clang_getCursorLocation(cursor)).file);
    if (view_ == nullptr) return;
    auto node = std::make_unique<Node>();
    fill(*node, cursor);
    node->kind = Node::kFunction;
    node->function = taken(clang_getCursorUSR(cursor));
    node->name = taken(clang_getCursorSpelling(cursor));
    view_->functions.push_back(std::move(node));
  }

  void fill(Node& node, CXCursor cursor) {
    const CXSourceRange extent = clang_getCursorExtent(cursor);
    const Place begin = place_of(clang_getRangeStart(extent));
    const Place end = place_of(clang_getRangeEnd(extent));
    node.range = {begin.offset, end.offset};
    // A part that comes from another file, included inside of a function, has no place in this one.
    if (view_of(begin.file) != view_ || view_of(end.file) != view_)
      node.range = node.parent == nullptr
                       ? Range{}
                       : Range{node.parent->range.begin, node.parent->range.begin};
    node.in_macro = view_->macros.contains(node.range.begin);
    describe(node, cursor);
    size_t nth = 0;
    for_children(cursor, [&](CXCursor each) {
      const bool runs = !may_be_left_out(cursor, each, nth++);
      auto child = std::make_unique<Node>();
      child->parent = &node;
      fill(*child, each);
      node.children.push_back(runs ? std::move(child) : maybe(std::move(child)));
    });
    add_hidden_calls(node, cursor);
    vicino::stable_sort(node.children, [](const auto& child) { return child->range.begin; });
  }

  static std::unique_ptr<Node> maybe(std::unique_ptr<Node> child) {
    auto node = std::make_unique<Node>();
    node->kind = Node::kMaybe;
    node->range = child->range;
    node->in_macro = child->in_macro;
    node->parent = child->parent;
    child->parent = node.get();
    node->children.push_back(std::move(child));
    return node;
  }

  // Whether the `nth` part of an expression or a declaration need not be evaluated.
  static bool may_be_left_out(CXCursor whole, CXCursor part, size_t nth) {
    switch (clang_getCursorKind(whole)) {
      case CXCursor_BinaryOperator: {
        const auto kind = clang_getCursorBinaryOperatorKind(whole);
        return nth > 0 && (kind == CXBinaryOperator_LAnd || kind == CXBinaryOperator_LOr);
      }
      case CXCursor_ConditionalOperator:
      case CXCursor_UnexposedExpr:  // `a ?: b`; all others have one operand
        return nth > 0;
      case CXCursor_UnaryExpr:  // sizeof, alignof, noexcept
      case CXCursor_CXXTypeidExpr:
      case CXCursor_GenericSelectionExpr:
      case CXCursor_TypedefDecl:
      case CXCursor_TypeAliasDecl:
        return true;
      case CXCursor_VarDecl:  // its type may have operands, too: decltype
        return clang_isExpression(clang_getCursorKind(part)) != 0 &&
               clang_equalCursors(part, clang_Cursor_getVarDeclInitializer(whole)) == 0;
      default:
        return false;
    }
  }

  // Adds calls of constructors and destructors that no expression shows.
  void add_hidden_calls(Node& node, CXCursor cursor) {
    const CXType type = clang_getCursorType(cursor);
    switch (clang_getCursorKind(cursor)) {
      case CXCursor_VarDecl:
        if (node.parent == nullptr) return;  // not in a function
        add_hidden(node, Node::kMaybe, type, Hidden::kConstructors);
        if (clang_Cursor_hasVarDeclGlobalStorage(cursor) == 0)
          add_hidden(node, Node::kAtEnd, type, Hidden::kDestructors);
        break;
      case CXCursor_CallExpr:  // it may return a temporary
        add_hidden(node, Node::kAtEnd, type, Hidden::kDestructors);
        break;
      case CXCursor_InitListExpr:
        add_hidden(node, Node::kMaybe, type, Hidden::kConstructors);
        break;
      case CXCursor_CXXDeleteExpr:
        for_children(cursor, [&](CXCursor pointer) {
          add_hidden(node, Node::kMaybe,
                     clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(pointer))),
                     Hidden::kDestructors);
        });
        break;
      default:
        break;
    }
  }

  enum class Hidden { kConstructors, kDestructors };

  void add_hidden(Node& parent, Node::Kind kind, CXType type, Hidden which) {
    auto node = std::make_unique<Node>();
    node->kind = kind;
    node->range = {parent.range.end, parent.range.end};
    node->parent = &parent;
    add_calls(*node, type, which, 0);
    if (!node->children.empty()) parent.children.push_back(std::move(node));
  }

  // Adds the calls for a class, for its bases and members, and for what a class of the library
  // holds.
  static void add_calls(Node& node, CXType type, Hidden which, int depth) {
    constexpr int kDeepest = 8;
    type = clang_getCanonicalType(type);
    for (CXType element = clang_getArrayElementType(type); element.kind != CXType_Invalid;
         element = clang_getArrayElementType(type))
      type = clang_getCanonicalType(element);
    if (type.kind != CXType_Record || depth == kDeepest) return;
    for (int i = 0; i < clang_Type_getNumTemplateArguments(type); ++i)
      add_calls(node, clang_Type_getTemplateArgumentAsType(type, static_cast<unsigned>(i)), which,
                depth + 1);
    CXCursor declared = clang_getTypeDeclaration(type);
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(declared)) != 0) return;
    const CXCursor pattern = clang_getSpecializedCursorTemplate(declared);
    if (clang_Cursor_isNull(pattern) == 0) declared = pattern;
    for_children(declared, [&](CXCursor each) {
      CXCursorKind kind = clang_getCursorKind(each);
      if (kind == CXCursor_FunctionTemplate) kind = clang_getTemplateCursorKind(each);
      if (kind == CXCursor_CXXBaseSpecifier || kind == CXCursor_FieldDecl)
        add_calls(node, clang_getCursorType(each), which, depth + 1);
      const bool wanted =
          kind == (which == Hidden::kConstructors ? CXCursor_Constructor : CXCursor_Destructor);
      if (!wanted || clang_CXXMethod_isDefaulted(each) != 0 || clang_CXXMethod_isDeleted(each) != 0)
        return;
      auto call = std::make_unique<Node>();
      call->kind = Node::kCall;
      call->range = node.range;
      call->parent = &node;
      call->name = taken(clang_getCursorSpelling(each));
      call->function = taken(clang_getCursorUSR(each));
      node.children.push_back(std::move(call));
    });
  }

  CXTranslationUnit tree_;
  const std::vector<std::unique_ptr<View>>& views_;
  std::map<CXFile, View*> of_file_;
  View* view_ = nullptr;
};

std::unique_ptr<View> view_of(CXTranslationUnit tree, CXFile file) {
  size_t size = 0;
  const char* text = clang_getFileContents(tree, file, &size);
  if (text == nullptr) return nullptr;
  auto view = std::make_unique<View>();
  view->text.assign(text, size);
  view->path = path_of(file);
  view->system = clang_Location_isInSystemHeader(clang_getLocationForOffset(tree, file, 0)) != 0;
  // Most headers have no OpenMP, and lexing the standard library takes longer than all the rest.
  // Other files without OpenMP are still read for their functions, which may be called between two
  // loops.
  const bool speaks = view->text.find("omp") != std::string::npos;
  if (view->system && !speaks) return nullptr;
  if (speaks) view->directives = directives_of(view->text, tokens_of(tree, file, view->text));
  if (CXSourceRangeList* off = clang_getSkippedRanges(tree, file)) {
    for (unsigned i = 0; i < off->count; ++i)
      view->off.push_back({place_of(clang_getRangeStart(off->ranges[i])).offset,
                           place_of(clang_getRangeEnd(off->ranges[i])).offset});
    clang_disposeSourceRangeList(off);
  }
  return view;
}

std::vector<std::unique_ptr<View>> views_of(CXTranslationUnit tree) {
  std::vector<std::unique_ptr<View>> views;
  std::vector<CXFile> files;
  clang_getInclusions(
      tree,
      [](CXFile file, CXSourceLocation*, unsigned, CXClientData data) {
        static_cast<std::vector<CXFile>*>(data)->push_back(file);
      },
      &files);
  for (CXFile file : files) {
    auto view = view_of(tree, file);
    const auto same = [&](const auto& other) { return other->path == view->path; };
    if (view != nullptr && std::ranges::none_of(views, same)) views.push_back(std::move(view));
  }
  return views;
}

void note_macros(CXTranslationUnit tree, const std::vector<std::unique_ptr<View>>& views) {
  std::map<CXFile, View*> of_file;
  for_children(clang_getTranslationUnitCursor(tree), [&](CXCursor cursor) {
    if (clang_getCursorKind(cursor) != CXCursor_MacroExpansion) return;
    const CXSourceLocation location = clang_getCursorLocation(cursor);
    if (clang_Location_isInSystemHeader(location) != 0) return;
    const Place place = place_of(location);
    const auto [known, added] = of_file.try_emplace(place.file, nullptr);
    if (added && place.file != nullptr) {
      const auto found =
          std::ranges::find(views, path_of(place.file), [](const auto& v) { return v->path; });
      if (found != views.end()) known->second = found->get();
    }
    if (known->second != nullptr)
      known->second->macros.emplace(place.offset, taken(clang_getCursorSpelling(cursor)));
  });
}

// Options with an argument, which is the next word or joined to the option.
constexpr std::array<std::string_view, 16> kTakeArgument = {
    "-I",         "-D",       "-U",           "-isystem",           "-iquote",
    "-idirafter", "-include", "-imacros",     "-isysroot",          "--sysroot",
    "-x",         "-iprefix", "-iwithprefix", "-iwithprefixbefore", "-target",
    "-arch"};
constexpr std::array<std::string_view, 15> kKept = {
    "-std=",           "-ansi",     "-pthread",        "-nostdinc",         "-O",
    "-ffast-math",     "-m",        "-funsigned-char", "-fsigned-char",     "-fms-extensions",
    "-fno-exceptions", "-fno-rtti", "-fexceptions",    "-fopenmp-version=", "-fchar8_t"};

template <size_t N>
const std::string_view* prefix_of(const std::array<std::string_view, N>& all,
                                  std::string_view word) {
  // The longest one, so that -iwithprefixbefore is not taken for -iwithprefix.
  const std::string_view* best = nullptr;
  for (const std::string_view& each : all)
    if (word.starts_with(each) && (best == nullptr || each.size() > best->size())) best = &each;
  return best;
}

std::vector<std::string> what_matters(const std::vector<std::string>& command) {
  std::vector<std::string> flags;
  for (size_t i = 1; i < command.size(); ++i) {
    const std::string& word = command[i];
    const std::string_view* option = prefix_of(kTakeArgument, word);
    if (option != nullptr) {
      flags.push_back(word);
      if (word == *option && i + 1 < command.size()) flags.push_back(command[++i]);
    } else if (prefix_of(kKept, word) != nullptr) {
      flags.push_back(word);
    }
  }
  return flags;
}

}  // namespace

Unit parse(const Compilation& compilation) {
  const Index index(clang_createIndex(0, 0), &clang_disposeIndex);
  Unit unit{compilation, {}};
  {
    const Tree tree = read(index.get(), compilation, kWithOpenMP);
    if (std::string errors = errors_of(tree.get(), Errors::kAll); !errors.empty())
      throw CannotParse(errors);
    unit.views = views_of(tree.get());
    note_macros(tree.get(), unit.views);
  }
  const Tree tree = read(index.get(), compilation, kWithoutOpenMP);
  // clang's omp.h declares a function once for each device, which is an error without OpenMP.
  std::string errors = errors_of(tree.get(), Errors::kOutsideOfSystemHeaders);
  if (!errors.empty()) throw CannotParse("without -fopenmp: " + errors);
  Builder(tree.get(), unit.views).build();
  for (const auto& view : unit.views) attach_directives(*view);
  return unit;
}

std::string errors_with(const Compilation& compilation,
                        const std::map<std::string, std::string>& texts) {
  const Index index(clang_createIndex(0, 0), &clang_disposeIndex);
  return errors_of(read(index.get(), compilation, kWithOpenMP, texts).get(), Errors::kAll);
}

std::vector<std::string> flags_from_database(const std::string& folder, const std::string& file) {
  CXCompilationDatabase_Error error = CXCompilationDatabase_NoError;
  const std::unique_ptr<void, decltype(&clang_CompilationDatabase_dispose)> database(
      clang_CompilationDatabase_fromDirectory(folder.c_str(), &error),
      &clang_CompilationDatabase_dispose);
  if (error != CXCompilationDatabase_NoError)
    throw CannotParse(fmt::format("'{}' has no compile_commands.json that can be read", folder));
  const std::unique_ptr<void, decltype(&clang_CompileCommands_dispose)> commands(
      clang_CompilationDatabase_getCompileCommands(database.get(), file.c_str()),
      &clang_CompileCommands_dispose);
  if (commands == nullptr || clang_CompileCommands_getSize(commands.get()) == 0)
    throw CannotParse(fmt::format("compile_commands.json of '{}' has no command for it", folder));
  CXCompileCommand command = clang_CompileCommands_getCommand(commands.get(), 0);
  std::vector<std::string> words;
  for (unsigned i = 0; i < clang_CompileCommand_getNumArgs(command); ++i)
    words.push_back(taken(clang_CompileCommand_getArg(command, i)));
  std::vector<std::string> flags = what_matters(words);
  flags.push_back("-working-directory=" + taken(clang_CompileCommand_getDirectory(command)));
  return flags;
}

}  // namespace vicino::convert
