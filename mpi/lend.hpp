// lend.hpp: calls that wait lend the process's cores meanwhile (VICINO_LEND, vicino/lend.h).
//
// How     A call with a non-blocking twin, as MPI_Irecv is one of MPI_Recv, is begun by the twin. Then
//         vicino_lend_until() of libvicino looks whether it is done, between sleeps. The calls that wait for
//         requests, for a message to be there or for the end of an exposure epoch (MPI_Win_wait) look by MPI_Test,
//         MPI_Iprobe and their kind. Other calls block as without lending.
// Match   A blocking collective does not match a non-blocking one: all ranks have to begin a collective in
//         the same way, whether they can lend just then or not. So the ranks agree, once, when MPI begins.
//         Collectives between two groups of processes (intercommunicators) block, for the other group may
//         be another job's, with other settings.
// Files   MPI_Request_get_status makes no progress with requests of files in MPICH, so MPI_Waitall of a process
//         that has begun such an operation blocks. MPI_Wait and its kind look by MPI_Test, which does.
// Inside  A call that is inside of another one of MPI's begins in the same way, for the same reason.
// Fortran Each of its entry points begins its own twin, which has the same name with an i, so that buffers,
//         descriptors and statuses are as the program's MPI wants them. Handles are converted to be tested.
#pragma once

#include "real.hpp"
#include "sites.hpp"
#include "this_mpi.hpp"

namespace vicino::pmpi {

// What few jobs do; one word, so that a call of another job makes one test. It is 0 before MPI has begun.
enum Special : uint32_t {
  kLends = 1,   // all ranks of the job have VICINO_LEND=true
  kTraces = 2,  // calls are put into a trace: told.hpp
};
inline constinit std::atomic<uint32_t> special{0};
// Relaxed: the thread that has begun MPI sets it before other threads may use MPI.
inline bool is_special() noexcept { return special.load(std::memory_order_relaxed) != 0; }
inline bool lends() noexcept { return (special.load(std::memory_order_relaxed) & kLends) != 0; }
inline bool lends(MPI_Comm comm) noexcept {
  if (!lends()) [[likely]]
    return false;
  static constinit Real<decltype(&PMPI_Comm_test_inter)> test{"PMPI_Comm_test_inter"};
  int is_inter = 1;
  return test.get()(comm, &is_inter) == 0 && is_inter == 0;
}

// Whether the process has begun an operation on a file that gives a request. Relaxed: the thread that waits
// for the request has begun it, or was told of it by the thread that has.
inline constinit std::atomic<bool> has_file_requests{false};

// When MPI has begun, on the thread that has begun it: the ranks agree.
void agree_on_lending() noexcept;

// Calls `looks`, which says whether the wait is over, until it is; false if nothing can be lent, and nothing
// has been waited for.
bool wait_lending(int (*looks)(void*), void* data, const Caller& caller) noexcept;

// Waits until look(error) returns true, and returns the error; or, if nothing can be lent, calls block().
template <class Look, class Block>
int look_or_block(const Caller& caller, Look look, Block block) {
  struct State {
    Look& look;
    int error;
  } state{look, 0};
  const auto looks = [](void* data) -> int {
    State& its = *static_cast<State*>(data);
    return its.look(its.error) || its.error != 0;
  };
  return wait_lending(looks, &state, caller) ? state.error : block();
}

// Waits for what a twin has begun with the result `error`. `status` may be MPI_STATUS_IGNORE.
int complete(int error, MPI_Request* request, MPI_Status* status, const Caller& caller) noexcept;

// The entry points by which one of Fortran's interfaces ends an operation. All parameters are addresses.
struct FortranEnds {
  constexpr FortranEnds(const char* name_of_test, const char* name_of_wait) noexcept
      : test(name_of_test), wait(name_of_wait) {}

  Real<void (*)(void* request, void* flag, void* status, void* ierror)> test;
  Real<void (*)(void* request, void* status, void* ierror)> wait;
};
inline constinit FortranEnds ends_of_fortran{"mpi_test_", "mpi_wait_"};
inline constinit FortranEnds ends_of_f08{"mpi_test_f08_", "mpi_wait_f08_"};
// As complete(); `status` is null for an operation that has none.
int complete_in_fortran(int error, MPI_Fint* request, void* status, FortranEnds& ends,
                        const Caller& caller) noexcept;

// Waits until all requests are complete, or not at all if nothing can be lent. MPI_Waitall() is to follow.
// `Requests`: an array of them, or FortranRequests.
template <class Requests>
void wait_for_all(int count, Requests requests, const Caller& caller) {
  static constinit Real<decltype(&PMPI_Request_get_status)> look{"PMPI_Request_get_status"};
  if (has_file_requests.load(std::memory_order_relaxed)) return;
  int next = 0;
  look_or_block(
      caller,
      [&](int&) {
        for (int done = 1; next < count; ++next)
          if (look.get()(requests[next], &done, MPI_STATUS_IGNORE) == 0 && done == 0) return false;
        return true;
      },
      [] { return 0; });
}

// The operation has begun, and nobody will wait for it.
template <class Request>
void give_up(Request request) noexcept {
  static constinit Real<decltype(&PMPI_Cancel)> cancel{"PMPI_Cancel"};
  static constinit Real<decltype(&PMPI_Request_free)> free_it{"PMPI_Request_free"};
  MPI_Request in_c;
  if constexpr (std::is_same_v<Request, MPI_Request>)
    in_c = request;
  else
    in_c = from_fortran(MPI_Request{}, request);
  cancel.get()(&in_c);
  free_it.get()(&in_c);
}

// Begins to receive and to send, and waits for both.
template <class Request, class Receive, class Send, class EndReceive, class EndSend>
int send_and_receive(Receive receive, Send send, EndReceive end_receive, EndSend end_send) {
  Request receiving, sending;
  if (const int error = receive(&receiving); error != 0) return error;
  if (const int error = send(&sending); error != 0) {
    give_up(receiving);  // nobody may send, where MPI would have refused both
    return error;
  }
  const int error_of_send = end_send(&sending);
  const int error = end_receive(&receiving);
  return error_of_send != 0 ? error_of_send : error;
}

}  // namespace vicino::pmpi
