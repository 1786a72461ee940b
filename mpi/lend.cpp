#include "lend.hpp"

#include <dlfcn.h>
#include <stdlib.h>

#include "base/say.hpp"
#include "config/numbers.hpp"

namespace vicino::pmpi {
namespace {

using Until = int(int (*done)(void*), void* argument, const void* where);

int cannot(int (*)(void*), void*, const void*) { return 0; }

Until* find_until() noexcept {
  Until* const found = reinterpret_cast<Until*>(dlsym(RTLD_DEFAULT, "vicino_lend_until"));
  return found != nullptr ? found : cannot;
}

// The settings of libvicino are its own; this library may be without it.
bool is_asked_for() noexcept {
  const char* const text = secure_getenv("VICINO_LEND");
  return text != nullptr && config::Flag::parse(text).value_or(false);
}

}  // namespace

void agree_on_lending() noexcept {
  static constinit Real<decltype(&PMPI_Allreduce)> allreduce{"PMPI_Allreduce"};
  static constinit Real<decltype(&PMPI_Comm_rank)> rank_of{"PMPI_Comm_rank"};
  const int mine = is_asked_for() ? 1 : 0;
  int both[2] = {mine, -mine}, least[2] = {0, 0}, rank = 0;
  if (allreduce.get()(both, least, 2, int_type(), least_of(), world()) != 0) return;
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
