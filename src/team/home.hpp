// home.hpp: what a bound thread keeps lies on the memory node that is near it.
//
// Why    A Member and a Worker are written by one thread all the time, but made by another: the
//        kernel would put them on that one's node, several threads' to a page.
// Cost   where several nodes have memory, whole pages for each, and one system call when a team's
//        threads are bound to other nodes than before. With one node: nothing but a test of a flag.
// Not    for what all threads of a team write, nor for threads that are not bound.
//
// Pages move under threads that poll, write and sleep on them, and none of these notice:
//  H1 the kernel takes the page out of every page table before it copies. Who touches it meanwhile
//     waits in the page fault and goes on with the copy, so no write is lost, and an atomic
//     operation is as a whole before or after the copy.
//  H2 addresses stay. A futex that is private to the process, as all in plat are, is known by its
//     address: who sleeps there is found.
//  H3 who has the page pinned (a device), or has it too (a child of fork() until either writes),
//     keeps the kernel from moving it. It stays where it is, and nothing else happens.
#pragma once

#include <cstddef>
#include <vector>

namespace vicino::team {

// A base of objects with pages of their own, if made by `new`.
class Resident {
 public:
  static void* operator new(size_t bytes);
  static void operator delete(void* object, size_t bytes) noexcept;

 private:
  friend class Homes;
  int home_ = -1;  // the node that its pages were sent to; written by who arranges its thread
};

// The pages to be sent home by one call: each call has all CPUs of the machine hand in pages that
// they hold back, which takes longer than the copying.
class Homes {
 public:
  // Whether memory lies on several nodes that this process may use.
  static bool differ() noexcept;

  template <class T>
  void add(T& object, int place) {
    add(object, sizeof object, place);
  }
  // False if there was nothing to send.
  bool send();

 private:
  void add(Resident& object, size_t bytes, int place);
  std::vector<void*> pages_;
  std::vector<int> nodes_;
};

}  // namespace vicino::team
