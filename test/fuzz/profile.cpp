// Profiles: a text is refused with one plain line, or is written and read back unchanged. The checksum is made good
// first: no changed text would get past it.
#include "tune/profile.hpp"

#include "base/hash.hpp"
#include "target.hpp"

using namespace vicino;

namespace {

std::string sealed(std::string text) {
  const auto at = text.rfind("checksum ");
  if (at != text.npos) text.resize(at);
  return text + "checksum " + hexadecimal(fnv1a(text)) + "\n";
}

void check(const std::string& text) {
  const auto profile = tune::parse_profile(text);
  if (!profile) return MUST(fuzz::is_plain(profile.error()));
  const std::string again = tune::format_profile(*profile);
  const auto reread = tune::parse_profile(again);
  MUST(reread.ok());
  MUST(*reread == *profile);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(fuzz::text_of(data, size));
  check(text);
  check(sealed(text));
  return 0;
}
