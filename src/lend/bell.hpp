// bell.hpp: a bell in memory that processes share, by which a rank wakes one that sleeps in a wait.
//
// Why    The futexes of plat are private to a process. What ends a wait, such as a message of MPI, is not the
//        bell's: a rank that waits looks for it by itself, and the bell only says when to look.
// How    The bell is a number. A rank that has done what may end others' waits adds one, and wakes them.
//
// Invariants
//  I1 a rank that waits hears the bell first, then looks whether the wait is over, and then sleeps while the
//     bell is what it has heard.
//  I2 a rank that rings has done what may end the wait before it changes the bell, and changes the bell before
//     it wakes others.
//  I3 no ring is lost. If it came before the bell was heard, the look sees what was done before the ring
//     ((1) and (2)). If it came later, the bell is another than what was heard: the kernel, which compares
//     under its lock, does not let the thread sleep, or the thread sleeps already and is woken.
//  I4 tell() wakes nobody. A rank that sleeps has left its cores already, and what it waits for has not come.
//  I5 each sleep has an end: a rank that is killed does not ring, and a wait may be ended by others than
//     those who ring.
// Memory order
//  (1) the release of tell() and ring() pairs with (2), the acquire of await(). All changes of the bell are
//      read-modify-writes, so that this holds for each of several ranks that ring.
#pragma once

#include <cstdint>

#include "plat/plat.hpp"

namespace vicino::lend {

// Returns when the word is another than `seen`, when it was woken, after `ns`, or for no reason.
void wait_between_processes(const plat::atomic<uint32_t>& word, uint32_t seen,
                            uint64_t ns) noexcept;
void wake_between_processes(const plat::atomic<uint32_t>& word) noexcept;

inline void tell(plat::atomic<uint32_t>& bell) noexcept {
  bell.fetch_add(1, std::memory_order_release);  // (1)
}

template <class Wake>
void ring(plat::atomic<uint32_t>& bell, Wake wake) noexcept {
  tell(bell);
  wake(bell);
}

// Returns when done() holds. rest(heard) may sleep as long as the bell is `heard`.
template <class Done, class Rest>
void await(const plat::atomic<uint32_t>& bell, Done done, Rest rest) {
  for (;;) {
    const uint32_t heard = bell.load(std::memory_order_acquire);  // (2)
    if (done()) return;
    rest(heard);
  }
}

}  // namespace vicino::lend
