// reductions.cpp: LLVM's task reductions.
//
// Each thread of the team has a copy of each variable, made when its first task asks for it; so a
// thread that runs none of the tasks costs nothing. An untied task has a copy of its own: it may
// leave its thread between two parts, and another task of that thread would then use the same copy.
// Such a copy is found by the address of the task's record, so the copies of ended tasks serve new
// ones.
//
// For a reduction clause with the modifier `task`, each thread registers the variables in a group
// of its own, whose results go to the thread's private variables; the copies belong to the team.
//
// Memory order
//  R1 a group's leave() is an acq_rel RMW: its release pairs with the acquire of the last group's
//     leave(), so the last group sees all copies and may combine and delete them.
#include "tasking/reductions.hpp"

#include <stdlib.h>

#include <map>
#include <memory>
#include <vector>

#include "abi/api.hpp"
#include "abi/kmpc/ident.hpp"
#include "base/line.hpp"
#include "base/say.hpp"
#include "region/roots.hpp"
#include "tasking/free_agents.hpp"
#include "tasking/recording.hpp"
#include "tasking/tasks.hpp"
#include "team/construct_memory.hpp"

using namespace vicino;
using kmpc::Ident;
using team::Member;

namespace {

// A variable as compilers describe it: kmp_taskred_input_t, and before LLVM 11
// kmp_task_red_input_t, whose initialiser does not see the original.
struct Input {
  void* shared;
  void* original;
  size_t bytes;
  void* init;
  void* fini;
  void* combine;
  uint32_t flags;  // 1: to be made lazily; Vicino makes all copies lazily
};
static_assert(sizeof(Input) == 56);
struct OldInput {
  void* shared;
  size_t bytes;
  void* init;
  void* fini;
  void* combine;
  uint32_t flags;
};
static_assert(sizeof(OldInput) == 48);

using Init = void (*)(void* copy, void* original);
using OldInit = void (*)(void* copy);
using Fini = void (*)(void* copy);
using Combine = void (*)(void* into, void* from);

// One variable, and its copies.
class Variable {
 public:
  Variable(const Input& input, bool is_old, int threads)
      : input_(input), is_old_(is_old), stride_(round_up(input.bytes + 1)) {
    const size_t bytes = static_cast<size_t>(threads) * stride_;
    memory_.reset(calloc(1, bytes + kLinePair));
    if (memory_ == nullptr) die("out of memory for copies of a variable of %zu bytes", input.bytes);
    first_ = reinterpret_cast<char*>(round_up(reinterpret_cast<uintptr_t>(memory_.get())));
    end_ = first_ + bytes;
  }

  bool has(void* address) const {
    const auto at = static_cast<char*>(address);
    if (address == input_.original || (first_ <= at && at < end_)) return true;
    for (const auto& [task, copy] : of_tasks_)
      if (copy.get() == address) return true;
    return false;
  }
  void* original() const { return input_.original; }

  // Only the thread with this place calls this (places_for()).
  void* of_thread(int place) { return made(first_ + static_cast<size_t>(place) * stride_); }
  void* of_task(const team::Task* task) {
    auto& copy = of_tasks_[task];
    if (copy == nullptr) copy.reset(calloc(1, stride_));
    if (copy == nullptr) die("out of memory for a copy of a variable of %zu bytes", input_.bytes);
    return made(static_cast<char*>(copy.get()));
  }

  // Called when no thread uses the copies any more.
  void combine_into(void* result) {
    for (char* copy = first_; copy < end_; copy += stride_) take_in(result, copy);
    for (const auto& [task, copy] : of_tasks_) take_in(result, static_cast<char*>(copy.get()));
  }

 private:
  struct Free {
    void operator()(void* memory) const { free(memory); }
  };
  using Memory = std::unique_ptr<void, Free>;

  static size_t round_up(size_t n) { return (n + kLinePair - 1) / kLinePair * kLinePair; }

  // The last byte of a copy's memory tells whether the copy is made.
  void* made(char* copy) {
    if (copy[stride_ - 1]) return copy;
    copy[stride_ - 1] = 1;
    if (input_.init == nullptr) return copy;  // all zeros
    if (is_old_)
      reinterpret_cast<OldInit>(input_.init)(copy);
    else
      reinterpret_cast<Init>(input_.init)(copy, input_.original);
    return copy;
  }

  void take_in(void* result, char* copy) {
    if (!copy[stride_ - 1]) return;
    reinterpret_cast<Combine>(input_.combine)(result, copy);
    if (input_.fini != nullptr) reinterpret_cast<Fini>(input_.fini)(copy);
  }

  Input input_;
  bool is_old_;
  size_t stride_;
  Memory memory_;
  char *first_, *end_;
  std::map<const team::Task*, Memory> of_tasks_;
};

// The copies of all variables of a construct.
class Copies {
 public:
  Copies(const std::vector<Input>& inputs, bool is_old, int threads, int groups)
      : groups_(groups), alone_(threads == 1) {
    for (const Input& input : inputs) variables_.emplace_back(input, is_old, threads);
  }

  bool alone() const { return alone_; }
  void* original(size_t i) const { return variables_[i].original(); }

  // The copy of variable i, if the address belongs to that variable; `is_it` says that this is
  // known already.
  void* find(Member& member, size_t i, void* address, bool is_it) {
    const bool moves = member.task().is(team::Task::kUntied);
    const int place = tasking::place_of(member);
    if (is_it && !moves) return variables_[i].of_thread(place);
    lock_.acquire(kBudget);  // copies of untied tasks come and go
    void* copy = nullptr;
    if (is_it || variables_[i].has(address))
      copy = moves ? variables_[i].of_task(&member.task()) : variables_[i].of_thread(place);
    lock_.release();
    return copy;
  }

  // True for the last group that leaves (R1).
  bool leave() { return groups_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
  void combine_into(size_t i, void* result) { variables_[i].combine_into(result); }

 private:
  static constexpr plat::Budget kBudget{.ns = 20'000};
  sync::Lock lock_;
  plat::atomic<int> groups_;
  const bool alone_;
  std::vector<Variable> variables_;
};

void free_copies(void* copies) { delete static_cast<Copies*>(copies); }

// One group's view of the copies. `owner`: has them; null: they are this group's alone.
class GroupReductions : public tasking::Reductions {
 public:
  GroupReductions(const std::vector<Input>& inputs, Copies* copies, team::ConstructMemory* owner)
      : copies_(copies), owner_(owner) {
    for (const Input& input : inputs) shared_.push_back(input.shared);
  }

  void* find(Member& member, void* item, void** original) override {
    for (size_t i = 0; i < shared_.size(); ++i) {
      void* copy = find_in(member, i, item);
      if (copy == nullptr) continue;
      if (original != nullptr) *original = copies_->original(i);
      return copy;
    }
    return nullptr;
  }

  void finish(Member&) override {
    if (copies_->leave()) {
      if (!copies_->alone())
        for (size_t i = 0; i < shared_.size(); ++i) copies_->combine_into(i, shared_[i]);
      if (owner_ != nullptr)
        owner_->release(copies_);
      else
        free_copies(copies_);
    }
    delete this;
  }

 private:
  // A thread in a team of one needs no copies.
  void* find_in(Member& member, size_t i, void* item) {
    const bool is_it = item == shared_[i];
    if (copies_->alone()) return is_it || item == copies_->original(i) ? shared_[i] : nullptr;
    return copies_->find(member, i, item, is_it);
  }

  std::vector<void*> shared_;
  Copies* copies_;
  team::ConstructMemory* owner_;
};

std::vector<Input> inputs_of(const void* data, int32_t count, bool is_old) {
  std::vector<Input> inputs;
  for (int32_t i = 0; i < count; ++i) {
    if (is_old) {
      const OldInput& o = static_cast<const OldInput*>(data)[i];
      inputs.push_back({o.shared, o.shared, o.bytes, o.init, o.fini, o.combine, o.flags});
    } else {
      Input input = static_cast<const Input*>(data)[i];
      if (input.original == nullptr) input.original = input.shared;
      inputs.push_back(input);
    }
  }
  return inputs;
}

// The compiled code hands the result to __kmpc_task_reduction_get_th_data.
void* reduce_in_group(int32_t count, const void* data, bool is_old) {
  Member& member = region::me();
  tasking::refuse_to_record(member, "its tasks reduce a variable");
  team::Group& group = *member.task().inner;
  const auto inputs = inputs_of(data, count, is_old);
  auto* copies = new Copies(inputs, is_old, tasking::places_for(member), 1);
  group.reduce(*new GroupReductions(inputs, copies, nullptr));
  return &group;
}

void* reduce_in_team(int32_t count, const void* data, bool is_old) {
  using team::ConstructMemory;
  Member& member = region::me();
  tasking::begin_group(member);
  const auto inputs = inputs_of(data, count, is_old);
  const int threads = member.team->size;
  const uint64_t generation = team::memory_generation(member);
  // The last group to end releases them. In a cancelled region some threads may never come here.
  ConstructMemory& memory = *member.team->construct_memory;
  void* copies = memory.get(member.met.shared++, generation, ConstructMemory::kUntilReleased,
                            [&]() -> ConstructMemory::Block {
                              return {new Copies(inputs, is_old, threads, threads), free_copies};
                            });
  team::Group& group = *member.task().inner;
  group.flags = team::Group::kOfConstruct;
  group.reduce(*new GroupReductions(inputs, static_cast<Copies*>(copies), &memory));
  return &group;
}

}  // namespace

VICINO_API void* __kmpc_taskred_init(int32_t, int32_t count, void* data) {
  return reduce_in_group(count, data, false);
}
VICINO_API void* __kmpc_task_reduction_init(int32_t, int32_t count, void* data) {
  return reduce_in_group(count, data, true);
}
VICINO_API void* __kmpc_taskred_modifier_init(Ident*, int32_t, int32_t, int32_t count, void* data) {
  return reduce_in_team(count, data, false);
}
VICINO_API void* __kmpc_task_reduction_modifier_init(Ident*, int32_t, int32_t, int32_t count,
                                                     void* data) {
  return reduce_in_team(count, data, true);
}
VICINO_API void __kmpc_task_reduction_modifier_fini(Ident*, int32_t, int32_t) {
  tasking::end_group(region::me());
}
VICINO_API void* __kmpc_task_reduction_get_th_data(int32_t, void*, void* item) {
  if (void* copy = tasking::find_reduction(region::me(), item, nullptr)) return copy;
  die("a task reduces the variable at %p, which no taskgroup or reduction clause with the task "
      "modifier around it does",
      item);
}
