// taskgraph as LLVM's patches compile it, for no released compiler does: this program calls what
// such a compiler would. A construct's region is executed once for each graph_id, and then its
// graph runs, with the variables of the present execution and the firstprivate ones of the first.
// test: uses threads=1,2,7,16
// test: peer gcc libgomp has no such entry points
// test: peer clang libomp has no such entry points
// test: variant automatic VICINO_COARSEN=automatic threads=1,2,7
// test: variant passive OMP_WAIT_POLICY=passive threads=2,7
// test: variant cancelling OMP_CANCELLATION=true threads=1,4
#include <omp.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "check.h"
#include "kmpc_tasks.h"

namespace {

int (*generate)(void* where, int gtid, Task* task, int flags, std::size_t size, std::size_t shareds,
                int count, Dependence* list, void (*relocate)(Task*, void*),
                void (*construct)(Task*, Task*, int));
void (*encounter)(void* where, int gtid, void** handle, std::uintptr_t id, int reset, int nogroup,
                  void (*region)(void*), void* captures);

// A construct of the program, which is there as long as the program: so what it has recorded is no
// leak. Its region, and all of its tasks, share what Captures has the addresses of.
struct Construct {
  void* handle = nullptr;

  template <class Captures>
  void operator()(void (*region)(Captures&), Captures captures, std::uintptr_t id = 0,
                  bool reset = false, bool nogroup = false) {
    struct Both {
      Captures captures;
      void (*region)(Captures&);
    } both{captures, region};
    encounter(
        nullptr, kmpc.global_thread_num(nullptr), &handle, id, reset, nogroup,
        [](void* its) { static_cast<Both*>(its)->region(static_cast<Both*>(its)->captures); },
        &both);
  }
};

template <class Private>
struct Whole : Task {
  Private own;
};

// A replayable task with the body `kBody` and a copy of `own`.
template <auto kBody, class Captures, class Private>
void task(const Captures& captures, const Private& own, std::vector<Dependence> dependences = {}) {
  using Mine = Whole<Private>;
  const bool is_object = !std::is_trivially_copyable_v<Private>;
  const int flags = kTied | (is_object ? kDestructors : 0);
  const int gtid = kmpc.global_thread_num(nullptr);
  Task* const made =
      kmpc.task_alloc(nullptr, gtid, flags, sizeof(Mine), sizeof(Captures), [](int, Task* it) {
        kBody(*static_cast<Captures*>(it->shareds), static_cast<Mine*>(it)->own);
        return 0;
      });
  new (made->shareds) Captures(captures);
  new (&static_cast<Mine*>(made)->own) Private(own);
  if (is_object)
    made->destroy = [](int, Task* it) {
      static_cast<Mine*>(it)->own.~Private();
      return 0;
    };
  const auto relocate = [](Task* it, void* from) {
    *static_cast<Captures*>(it->shareds) = *static_cast<Captures*>(from);
  };
  void (*const construct)(Task*, Task*, int) = [](Task* to, Task* from, int) {
    new (&static_cast<Mine*>(to)->own) Private(static_cast<Mine*>(from)->own);
  };
  generate(nullptr, gtid, made, flags, sizeof(Mine), sizeof(Captures),
           static_cast<int>(dependences.size()), dependences.data(), relocate,
           is_object ? construct : nullptr);
}

template <class Body>
void in_single(Body body) {
#pragma omp parallel
#pragma omp single
  body();
}

// How often a region was executed, and what its tasks have written.
struct Seen {
  std::atomic<int> regions{0}, tasks{0};
  int log[64] = {};
};
struct Frame {
  Seen* seen;
  int* start;  // in the frame of one execution
};
int order;  // what the tasks of a chain depend on

void append(Frame& frame, int& own) {
  const int place = frame.seen->tasks.fetch_add(1, std::memory_order_relaxed);
  frame.seen->log[place] = *frame.start + own;
  own = -1;  // the task's own copy: the next run has another one
}
constexpr int kChain = 12;
void chain(Frame& frame) {
  const int base = 10 * ++frame.seen->regions;
  for (int i = 0; i < kChain; ++i) task<append>(frame, base + i, {{&order, sizeof order, kInout}});
}
// What one execution of the chain, recorded in the region's execution number `region`, leaves
// behind.
void check_chain(Seen& seen, int start, int region) {
  CHECK_EQ(seen.tasks.exchange(0), kChain);
  for (int i = 0; i < kChain; ++i) CHECK_EQ(seen.log[i], start + 10 * region + i);
}

// The frames of two executions are never the same.
[[gnu::noinline]] void execute_chain(Construct& construct, Seen& seen, int start, std::uintptr_t id,
                                     bool reset, int depth) {
  volatile char room[64];
  room[0] = 0;
  if (depth > 0) return execute_chain(construct, seen, start, id, reset, depth - 1);
  construct(chain, Frame{&seen, &start}, id, reset);
}

void replays() {
  static Construct construct;
  Seen seen;
  const auto all = [&] {
    for (int i = 0; i < 20; ++i) {
      execute_chain(construct, seen, 1000 * i, 0, false, i % 3);
      check_chain(seen, 1000 * i, 1);
    }
  };
  in_single(all);
  CHECK_EQ(seen.regions, 1);
  all();  // by a team of one
  CHECK_EQ(seen.regions, 1);
}

void ids_and_resets() {
  static Construct construct;
  Seen seen;
  in_single([&] {
    for (int i = 0; i < 12; ++i) {
      execute_chain(construct, seen, i, static_cast<std::uintptr_t>(i % 3), false, 0);
      check_chain(seen, i, i % 3 + 1);
    }
    for (int i = 0; i < 4; ++i) {
      execute_chain(construct, seen, i, 1, i < 2, 0);  // of one graph
      check_chain(seen, i, i < 2 ? 4 + i : 5);
      execute_chain(construct, seen, i, 2, false, 0);
      check_chain(seen, i, 3);
    }
  });
  CHECK_EQ(seen.regions, 5);
}

// replayable(false) is what a compiler makes no replayable task of.
void count(Frame& frame, int&) { ++frame.seen->tasks; }
void with_others(Frame& frame) {
  ++frame.seen->regions;
  Seen* const seen = frame.seen;
  task<count>(frame, 0);
#pragma omp task firstprivate(seen)
  ++seen->log[0];
#pragma omp taskloop firstprivate(seen) num_tasks(3)
  for (int i = 0; i < 9; ++i) {
#pragma omp atomic
    ++seen->log[1];
  }
}
void not_replayable() {
  static Construct construct;
  Seen seen;
  int start = 0;
  in_single([&] {
    for (int i = 0; i < 5; ++i) construct(with_others, Frame{&seen, &start});
  });
  CHECK_EQ(seen.regions, 1);
  CHECK_EQ(seen.tasks, 5);
  CHECK_EQ(seen.log[0], 1);
  CHECK_EQ(seen.log[1], 9);
}

// Each task has an object of its own, which holds its own address; none is left when the graph is
// gone.
struct Object {
  static std::atomic<int> alive;
  Object(int its_value) : value(its_value), self(this) { ++alive; }
  Object(const Object& other) : value(other.value), self(this) {
    CHECK(other.self == &other);
    ++alive;
  }
  ~Object() {
    self = nullptr;
    --alive;
  }
  int value;
  Object* self;
};
std::atomic<int> Object::alive{0};
struct Large : Object {
  using Object::Object;
  char more[4000] = {};
};
void use(Frame& frame, Object& own) {
  CHECK(own.self == &own);
  frame.seen->tasks += own.value;
}
void use_large(Frame& frame, Large& own) { use(frame, own); }
void with_objects(Frame& frame) {
  if (++frame.seen->regions == 2) return;  // the graph of the second time is empty
  const Object object(3);
  const auto large = std::make_unique<Large>(40);
  task<use>(frame, object);
  task<use_large>(frame, *large);
}
void objects() {
  static Construct construct;
  Seen seen;
  int start = 0;
  in_single([&] {
    for (int i = 0; i < 6; ++i) {
      construct(with_objects, Frame{&seen, &start});
      CHECK_EQ(seen.tasks.exchange(0), 43);
      CHECK_EQ(Object::alive, 2);
    }
    for (int i = 0; i < 2; ++i) {
      construct(with_objects, Frame{&seen, &start}, 0, i == 0);
      CHECK_EQ(seen.tasks, 0);
      CHECK_EQ(Object::alive, 0);
    }
  });
  CHECK_EQ(seen.regions, 2);
}

// A construct in another one's region is recorded, and the outer one is not; in its task, both are.
Construct inner;
void inner_in_region(Frame& frame) {
  ++frame.seen->log[63];
  inner(chain, frame);
}
void execute_inner(Frame& frame, int&) { inner(chain, frame); }
void inner_in_task(Frame& frame) {
  ++frame.seen->log[62];
  task<execute_inner>(frame, 0);
}
void nested() {
  static Construct outer, of_task;
  Seen seen;
  int start = 5;
  in_single([&] {
    for (int i = 0; i < 4; ++i) {
      outer(inner_in_region, Frame{&seen, &start});
      check_chain(seen, start, i == 0 ? 1 : 2);
      CHECK_EQ(seen.regions, i == 0 ? 1 : 2);
    }
    for (int i = 0; i < 4; ++i) {
      of_task(inner_in_task, Frame{&seen, &start});
      check_chain(seen, start, 2);
    }
  });
  CHECK_EQ(seen.log[63], 4);
  CHECK_EQ(seen.log[62], 1);
}

// What a task generates ends before the construct does.
void generate_more(Frame& frame, int&) {
  Seen* const seen = frame.seen;
  for (int i = 0; i < 10; ++i) {
#pragma omp task firstprivate(seen)
    {
#pragma omp task firstprivate(seen)
      ++seen->tasks;
    }
  }
}
void with_children(Frame& frame) {
  ++frame.seen->regions;
  task<generate_more>(frame, 0);
}
void children() {
  static Construct construct;
  Seen seen;
  int start = 0;
  in_single([&] {
    for (int i = 1; i <= 10; ++i) {
      construct(with_children, Frame{&seen, &start});
      CHECK_EQ(seen.tasks, 10 * i);
    }
  });
  CHECK_EQ(seen.regions, 1);
}

// With nogroup the execution that records waits for no task. Here the task has to wait for one
// whose event is fulfilled later.
void after_event(Frame& frame) {
  ++frame.seen->regions;
  task<count>(frame, 0, {{&order, sizeof order, kIn}});
}
void nogroup() {
  static Construct construct;
  Seen seen;
  int start = 0;
  in_single([&] {
    omp_event_handle_t event{};
#pragma omp task detach(event) depend(out : order)
    {
    }
    construct(after_event, Frame{&seen, &start}, 0, false, true);
    CHECK_EQ(seen.tasks, 0);
    omp_fulfill_event(event);
#pragma omp taskwait
    CHECK_EQ(seen.tasks, 1);
    construct(after_event, Frame{&seen, &start}, 0, false, true);
#pragma omp taskwait
    CHECK_EQ(seen.tasks, 2);
  });
  CHECK_EQ(seen.regions, 1);
}

// How many lines act() writes on standard error.
template <class Act>
int lines_of(Act act) {
  std::FILE* const file = std::tmpfile();
  const int saved = dup(2);
  dup2(fileno(file), 2);
  act();
  dup2(saved, 2);
  close(saved);
  std::rewind(file);
  int lines = 0;
  for (int c; (c = std::fgetc(file)) != EOF;) lines += c == '\n';
  std::fclose(file);
  return lines;
}

// What cannot be recorded is executed each time, and why is said once.
void with_region(Frame& frame) {
  ++frame.seen->regions;
  task<count>(frame, 0);
  std::atomic<int>& inside = frame.seen->regions;
#pragma omp parallel num_threads(1)
  ++inside;
}
void refused() {
  static Construct construct;
  Seen seen;
  int start = 0;
  CHECK_EQ(lines_of([&] {
             in_single([&] {
               for (int i = 0; i < 5; ++i) construct(with_region, Frame{&seen, &start}, 0, i > 2);
             });
           }),
           1);
  CHECK_EQ(seen.regions, 10);
  CHECK_EQ(seen.tasks, 5);
}

// In a final task the region is executed, even where there is a graph.
void counted(Frame& frame) {
  ++frame.seen->regions;
  task<count>(frame, 0);
}
void in_final() {
  static Construct construct;
  Seen seen;
  int start = 0;
  const auto execute = [&] { construct(counted, Frame{&seen, &start}); };
  in_single([&] {
    for (int i = 0; i < 3; ++i) {
#pragma omp task final(1) shared(execute)
      execute();
#pragma omp taskwait
    }
    CHECK_EQ(seen.regions, 3);
    for (int i = 0; i < 3; ++i) execute();
    CHECK_EQ(seen.regions, 4);
#pragma omp task final(1) shared(execute)
    execute();
#pragma omp taskwait
  });
  CHECK_EQ(seen.regions, 5);
  CHECK_EQ(seen.tasks, 7);
}

// Where tasks can be cancelled, each execution generates them.
void cancelling() {
  static Construct construct;
  Seen seen;
  int start = 0;
  in_single([&] {
    for (int i = 1; i <= 5; ++i) {
      construct(counted, Frame{&seen, &start});
      CHECK_EQ(seen.regions, i);
      CHECK_EQ(seen.tasks, i);
    }
  });
}

// All threads meet the construct at a time, each with variables of its own, and some reset it
// meanwhile.
struct Mine {
  int* number;
  int* got;
  std::atomic<int>* regions;
};
constexpr int kSteps = 6;
void step(Mine& mine, Object& own) {
  CHECK(own.self == &own);
  mine.got[own.value] = *mine.number + own.value + (own.value > 0 ? mine.got[own.value - 1] : 0);
}
void steps(Mine& mine) {
  ++*mine.regions;
  for (int i = 0; i < kSteps; ++i) task<step>(mine, Object(i), {{&order, sizeof order, kInout}});
}
void all_at_a_time() {
  static Construct construct;
  std::atomic<int> regions{0}, resets{0};
#pragma omp parallel
  {
    int number = omp_get_thread_num() * 1000;
    for (int i = 0; i < 200; ++i) {
      int got[kSteps] = {};
      const bool reset = omp_get_thread_num() % 4 == 0 && i % 10 == 5;
      resets += reset;
      construct(steps, Mine{&number, got, &regions}, static_cast<std::uintptr_t>(i % 2), reset);
      for (int k = 0, sum = 0; k < kSteps; ++k) CHECK_EQ(got[k], sum += number + k);
      ++number;
    }
  }
  CHECK(regions >= 2);
  CHECK(regions < 200 * omp_get_max_threads());
  if (omp_get_max_threads() == 1) CHECK_EQ(regions, 2 + resets);
  CHECK_EQ(Object::alive, 2 * kSteps);
}

}  // namespace

int main() {
  if (!find_kmpc() || !find_entry(&generate, "vicino_kmpc_taskgraph_task") ||
      !find_entry(&encounter, "vicino_kmpc_taskgraph"))
    return 1;
  if (omp_get_cancellation()) {
    cancelling();
    return check_result();
  }
  replays();
  ids_and_resets();
  not_replayable();
  objects();
  nested();
  children();
  nogroup();
  refused();
  in_final();
  all_at_a_time();
  return check_result();
}
