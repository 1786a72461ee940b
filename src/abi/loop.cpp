// loop.cpp: the functions of vicino/loop.h.
#include "vicino/loop.h"

#include <errno.h>
#include <stdio.h>

#include <new>

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "config/selection.hpp"
#include "region/parallel_loop.hpp"

using namespace vicino;

namespace {

const vicino_schedule* handle_of(const loop::Selection* selection) {
  return reinterpret_cast<const vicino_schedule*>(selection);
}
const loop::Selection* selection_of(const vicino_schedule* handle) {
  return reinterpret_cast<const loop::Selection*>(handle);
}

// If the program names the call site, the name may give its place in the source, in the form of
// LLVM's compilers.
site::CallSite site_of(const char* named, const void* caller) {
  if (named == nullptr) return {caller, nullptr};
  return {named, named[0] == ';' ? named : nullptr};
}

region::ParallelLoop loop_over(int64_t begin, int64_t end, const vicino_loop_options& options,
                               const void* caller) {
  region::ParallelLoop loop;
  loop.begin = begin;
  if (begin < end) loop.trip = static_cast<uint64_t>(end) - static_cast<uint64_t>(begin);
  loop.schedule = selection_of(options.schedule);
  loop.threads = options.num_threads;
  loop.site = site_of(options.site, caller);
  return loop;
}

constexpr vicino_loop_options kNoOptions{};

}  // namespace

VICINO_API const vicino_schedule* vicino_schedule_parse(const char* text, char* message,
                                                        size_t size) try {
  const auto selection = config::parse_selection(text != nullptr ? text : "");
  if (selection) return handle_of(loop::keep(*selection));
  if (size > 0) snprintf(message, size, "%s", selection.error().c_str());
  return nullptr;
} catch (const std::bad_alloc&) {
  if (size > 0) snprintf(message, size, "no memory for a schedule");
  return nullptr;
}

// Names are literals, so they end with a 0 as C's do.
VICINO_API const char* vicino_schedule_name(size_t number) {
  const auto rows = loop::registry();
  return number < rows.size() ? rows[number].name.data() : nullptr;
}

VICINO_API int vicino_parallel_for(int64_t begin, int64_t end, vicino_loop_body* body, void* data,
                                   const vicino_loop_options* options) {
  VICINO_WATCHED();
  if (options == nullptr) options = &kNoOptions;
  if (body == nullptr || options->num_threads < 0) return EINVAL;
  region::ParallelLoop loop = loop_over(begin, end, *options, __builtin_return_address(0));
  loop.data = data;
  loop.function = reinterpret_cast<void*>(body);
  loop.run = [](const region::ParallelLoop& l, int64_t first, int64_t last, void*) {
    return reinterpret_cast<vicino_loop_body*>(l.function)(first, last, l.data);
  };
  return abi::answer([&] { return region::run(loop); });
}

VICINO_API int vicino_parallel_reduce(int64_t begin, int64_t end, vicino_reduce_body* body,
                                      void* data, const vicino_reduction* reduction, void* result,
                                      const vicino_loop_options* options) {
  VICINO_WATCHED();
  if (options == nullptr) options = &kNoOptions;
  if (body == nullptr || options->num_threads < 0 || reduction == nullptr ||
      reduction->init == nullptr || reduction->combine == nullptr)
    return EINVAL;
  region::ParallelLoop loop = loop_over(begin, end, *options, __builtin_return_address(0));
  loop.data = data;
  loop.function = reinterpret_cast<void*>(body);
  loop.run = [](const region::ParallelLoop& l, int64_t first, int64_t last, void* partial) {
    return reinterpret_cast<vicino_reduce_body*>(l.function)(first, last, partial, l.data);
  };
  loop.bytes = reduction->bytes;
  loop.init = reduction->init;
  loop.combine = reduction->combine;
  loop.result = result;
  return abi::answer([&] { return region::run(loop); });
}
