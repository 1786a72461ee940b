#include "lend.hpp"

#include <dlfcn.h>
#include <stdlib.h>

#include <optional>

#include "base/say.hpp"
#include "config/numbers.hpp"
#include "plat/plat.hpp"

namespace vicino::pmpi {
namespace {

using Until = int(int (*done)(void*), void* argument, const void* where);

int cannot(int (*)(void*), void*, const void*) { return 0; }

Until* find_until() noexcept {
  Until* const found = reinterpret_cast<Until*>(dlsym(RTLD_DEFAULT, "vicino_lend_until"));
  return found != nullptr ? found : cannot;
}

// VICINO_LEND, if it is set. The settings of libvicino are its own; this library may be without it.
std::optional<bool> setting() noexcept {
  const char* const text = secure_getenv("VICINO_LEND");
  if (text == nullptr) return {};
  return config::Flag::parse(text).value_or(false);
}

}  // namespace

// Ranks that are without this library, or in which nobody has asked, do not take part: a call that they do not make
// would meet the program's next one. So only those compare in which VICINO_LEND is set, by a call that does not
// block: it meets no blocking one, and where a rank does not come it is given up.
void agree_on_lending() noexcept {
  // Ranks leave MPI_Init within a second of each other. One that gave up while the others agreed would wait for
  // them in another way than they do, so it must not come to that on a slow machine either.
  constexpr uint64_t kMostNs = 20'000'000'000;
  static constinit Real<decltype(&PMPI_Iallreduce)> allreduce{"PMPI_Iallreduce"};
  static constinit Real<decltype(&PMPI_Test)> test{"PMPI_Test"};
  static constinit Real<decltype(&PMPI_Comm_rank)> rank_of{"PMPI_Comm_rank"};
  const std::optional<bool> asked = setting();
  if (!asked) return;
  const int mine = *asked ? 1 : 0;
  static int both[2], least[2];  // a call that is given up may still write
  both[0] = mine, both[1] = -mine;
  MPI_Request request;
  if (allreduce.get()(both, least, 2, int_type(), least_of(), world(), &request) != 0) return;
  int done = 0, rank = 0;
  const uint64_t began = plat::now();
  while (test.get()(&request, &done, MPI_STATUS_IGNORE) == 0 && done == 0) {
    if (plat::now() - began < kMostNs) continue;
    say("VICINO_LEND is set in this rank, and not set in others, or these do not run under Vicino; "
        "calls of MPI lend no cores");
    return;
  }
  if (least[0] == 1) special.fetch_or(kLends, std::memory_order_relaxed);
  if (least[0] == 1 || least[1] == 0) return;
  rank_of.get()(world(), &rank);
  if (rank == 0)
    say("VICINO_LEND is true in some ranks and not in others; calls of MPI lend no cores");
}

bool wait_lending(int (*looks)(void*), void* data, const Caller& caller) noexcept {
  static Until* const until = find_until();
  return until(looks, data, caller.address) != 0;
}

int complete(int error, MPI_Request* request, MPI_Status* status, const Caller& caller) noexcept {
  static constinit Real<decltype(&PMPI_Test)> test{"PMPI_Test"};
  static constinit Real<decltype(&PMPI_Wait)> wait{"PMPI_Wait"};
  if (error != 0) return error;
  return look_or_block(
      caller,
      [&](int& result) {
        int done = 0;
        result = test.get()(request, &done, status);
        return done != 0;
      },
      [&] { return wait.get()(request, status); });
}

int complete_in_fortran(int error, MPI_Fint* request, void* status, FortranEnds& ends,
                        const Caller& caller) noexcept {
  if (error != 0) return error;
  if (status == nullptr) {
    MPI_Request in_c = from_fortran(MPI_Request{}, *request);
    return complete(0, &in_c, MPI_STATUS_IGNORE, caller);
  }
  return look_or_block(
      caller,
      [&](int& result) {
        MPI_Fint done = 0, said = 0;
        ends.test.get()(request, &done, status, &said);
        result = said;
        return done != 0;
      },
      [&] {
        MPI_Fint said = 0;
        ends.wait.get()(request, status, &said);
        return said;
      });
}

}  // namespace vicino::pmpi
