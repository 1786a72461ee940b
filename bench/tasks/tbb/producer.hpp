// producer.hpp: the producers of ../producer.hpp, on oneTBB.
#pragma once
#include <tbb/task_group.h>

#include "../producer.hpp"
#include "arena.hpp"

namespace bench {

template <class Grain>
struct TbbProducer : Producer<Grain> {
  using Producer<Grain>::Producer;
  void run() {
    in_arena([places = this->done.get(), tasks = this->tasks_] {
      tbb::task_group group;
      for (long i = 0; i < tasks; ++i)
        group.run([place = places + i] { *place += static_cast<char>(work(Grain::kSteps)); });
      group.wait();
    });
  }
};

}  // namespace bench
