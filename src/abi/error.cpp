// error.cpp: the error directive, at execution, in both compilers' ABIs. As with their own runtimes,
// a fatal one ends gcc's programs by exit() and LLVM's by abort().
#include <string.h>

#include <string>
#include <string_view>

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "abi/kmpc/ident.hpp"
#include "base/file.hpp"
#include "base/say.hpp"
#include "event/sync.hpp"

using namespace vicino;

namespace {

constexpr char kWarning[] = "the program warns", kError[] = "the program reports an error";

// What follows the words above. `message` may be empty, and so may `place`.
std::string tail(std::string_view place, std::string_view message) {
  std::string text = " by an error directive";
  if (!place.empty()) text.append(" at ").append(place);
  if (!message.empty()) text.append(": ").append(message);
  return text;
}

// A length of SIZE_MAX stands for a message that ends with a 0.
std::string_view message_of_gcc(const char* message, size_t bytes) {
  if (message == nullptr) return {};
  return {message, bytes == SIZE_MAX ? strlen(message) : bytes};
}

// "file:line:column", or nothing.
std::string place_of(const kmpc::Ident* where) {
  if (where == nullptr || where->source == nullptr) return {};
  std::string_view fields = where->source;
  take_until(fields, ';');  // the text begins with a separator
  std::string place(take_until(fields, ';'));
  take_until(fields, ';');  // the function
  for (int i = 0; i < 2; ++i) place.append(":").append(take_until(fields, ';'));
  return place;
}

}  // namespace

namespace {

void tell(bool fatal, std::string_view message) {
  event::error(fatal ? ompt::Severity::kFatal : ompt::Severity::kWarning, message.data(),
               message.size());
}

}  // namespace

VICINO_API void GOMP_warning(const char* message, size_t bytes) {
  if (VICINO_WATCHED()) tell(false, message_of_gcc(message, bytes));
  say("%s%s", kWarning, tail({}, message_of_gcc(message, bytes)).c_str());
}
VICINO_API void GOMP_error(const char* message, size_t bytes) {
  if (VICINO_WATCHED()) tell(true, message_of_gcc(message, bytes));
  give_up("%s%s", kError, tail({}, message_of_gcc(message, bytes)).c_str());
}

VICINO_API void __kmpc_error(kmpc::Ident* where, int severity, const char* message) {
  if (VICINO_WATCHED()) tell(severity == kmpc::kFatal, message == nullptr ? "" : message);
  const std::string text = tail(place_of(where), message == nullptr ? "" : message);
  if (severity == kmpc::kFatal) die("%s%s", kError, text.c_str());
  say("%s%s", kWarning, text.c_str());
}
