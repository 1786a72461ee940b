// OMP_AFFINITY_FORMAT: any text is a format; without fields it gives itself, and none is the default.
#include "config/affinity_format.hpp"

#include "target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view format = vicino::fuzz::text_of(data, size);
  const vicino::config::AffinityFields fields{
      .num_threads = 4, .host = "host", .thread_affinity = "0-3,8"};
  const std::string text = vicino::config::format_affinity(format, fields);
  if (!format.empty() && format.find('%') == format.npos) MUST(text == format);
  return 0;
}
