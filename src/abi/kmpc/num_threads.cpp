// num_threads.cpp: LLVM's num_threads clauses that are strict or have a list.
#include <algorithm>
#include <span>

#include "abi/api.hpp"
#include "abi/kmpc/ident.hpp"
#include "base/say.hpp"
#include "region/roots.hpp"
#include "team/worker.hpp"

using namespace vicino;
using kmpc::Ident;
using team::NumThreads;

namespace {

using Numbers = std::span<const int32_t>;

// The numbers before the first that is not positive.
Numbers usable(Numbers numbers) {
  const auto bad = std::ranges::find_if(numbers, [](int32_t n) { return n <= 0; });
  if (bad != numbers.end())
    say("num_threads: number %d of %d is %d, which is not positive; it and what follows is ignored",
        static_cast<int>(bad - numbers.begin()) + 1, static_cast<int>(numbers.size()), *bad);
  return {numbers.begin(), bad};
}

// The first number is for the next region, the others are for the regions inside it.
NumThreads& push(Numbers asked) {
  const Numbers numbers = usable(asked);
  team::PushedClauses& pushed = region::me().pushed;
  pushed.num_threads = std::make_unique<NumThreads>();
  pushed.threads = numbers.empty() ? 0 : numbers.front();
  if (numbers.size() > 1) pushed.num_threads->inner.assign(numbers.begin() + 1, numbers.end());
  return *pushed.num_threads;
}

void push_strict(Numbers asked, int severity, const char* message) {
  NumThreads& clause = push(asked);
  clause.strict = region::me().pushed.threads;
  clause.fatal = severity == kmpc::kFatal;
  clause.message = message;
}

}  // namespace

VICINO_API void __kmpc_push_num_threads_strict(Ident*, int32_t, int32_t threads, int severity,
                                               const char* message) {
  push_strict({&threads, 1}, severity, message);
}
VICINO_API void __kmpc_push_num_threads_list(Ident*, int32_t, uint32_t length, int32_t* numbers) {
  push({numbers, length});
}
VICINO_API void __kmpc_push_num_threads_list_strict(Ident*, int32_t, uint32_t length,
                                                    int32_t* numbers, int severity,
                                                    const char* message) {
  push_strict({numbers, length}, severity, message);
}
