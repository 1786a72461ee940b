// own_pages.hpp: the objects of a bound thread lie on the memory node that is near it.
//
// Why    One thread writes a Member and a Worker all the time, but another thread makes them. The
//        kernel would put them on the maker's node, with the objects of several threads in a page.
// Cost   where several nodes have memory, whole pages for each object, and one system call when a
//        team's threads are bound to other nodes than before. With one node, a test of a flag.
// Not    for memory that all threads of a team write, nor for threads that are not bound.
//
// Pages move while threads poll, write and sleep on them, and the threads do not notice:
//  H1 the kernel takes the page out of every page table before it copies. A thread that touches the
//     page meanwhile waits in the page fault and goes on with the copy. So no write is lost, and an
//     atomic operation happens entirely before or entirely after the copy.
//  H2 addresses stay. The kernel knows a futex that is private to the process, as all in plat are,
//     by its address, so it finds the threads that sleep there.
//  H3 the kernel does not move a page that a device has pinned, or that another process shares (a
//     child of fork(), until either process writes). The page stays where it is, and nothing else
//     happens.
#pragma once

#include <cstddef>
#include <vector>

namespace vicino::team {

// A base class of objects that have pages of their own if they are made by `new`.
class OnOwnPages {
 public:
  static void* operator new(size_t bytes);
  static void operator delete(void* object, size_t bytes) noexcept;

 private:
  friend class PageMoves;
  friend class PagesAhead;
  int home_ = -1;  // the node that its pages were sent to; the primary thread writes it
};

// While it lives, the calling thread's objects are made in pages that the kernel was asked for
// together: a team of 64 has 128 such objects, and each request takes a microsecond or two. An
// object gives its pages back when it is destroyed, and this gives back those that are left.
class PagesAhead {
 public:
  // For `count` objects of `bytes` each. Nothing where objects have no pages of their own.
  PagesAhead(size_t count, size_t bytes) noexcept;
  ~PagesAhead();
  PagesAhead(const PagesAhead&) = delete;

  // The next objects' threads will run on the spot: the objects are made on the node near it, for
  // moving them later interrupts all threads that run meanwhile.
  void send_to(int spot);
  // To be called for an object that was made after the last send_to().
  void is_made(OnOwnPages& object) noexcept { object.home_ = node_; }

 private:
  friend class OnOwnPages;
  void* take(size_t bytes) noexcept;  // null: there are not so many left
  std::byte *next_ = nullptr, *end_ = nullptr;
  int node_ = -1;  // where the pages that are left will lie; -1: the kernel decides
};

// The pages that one call sends to the nodes of their threads. Many pages go in one call, because
// each call makes all CPUs of the machine hand in pages that they hold back, which takes longer
// than the copying.
class PageMoves {
 public:
  // Whether several nodes have memory that this process may use.
  static bool differ() noexcept;

  template <class T>
  void add(T& object, int spot) {
    add(object, sizeof object, spot);
  }
  // False if there were no pages to send.
  bool send();

 private:
  void add(OnOwnPages& object, size_t bytes, int spot);
  std::vector<void*> pages_;
  std::vector<int> nodes_;
};

}  // namespace vicino::team
