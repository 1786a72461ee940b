// The file of rules that VICINO_CONFIG names: it is refused with one plain line, or its rules can be asked.
#include "config/rules.hpp"

#include "target.hpp"

using namespace vicino;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto rules = config::parse_rules(fuzz::text_of(data, size), "rules");
  if (!rules) {
    MUST(fuzz::is_plain(rules.error()));
    return 0;
  }
  const config::Location here = config::parse_source(";/home/user/program.cpp;function;42;7;;");
  for (const config::Rule& rule : rules->loops) (void)config::matches(rule, here);
  return 0;
}
