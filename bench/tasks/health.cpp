// health: hospitals of a tree of villages; a patient not helped in one is sent to the next larger.
//
// Why    Tasks of very different length work on lists: a village in the tree's leaves has few
//        patients, the root has most of them. There is a taskwait in every village and every step.
// Model  In each step in time some inhabitants of a village fall ill by chance and wait for a
//        doctor; a doctor needs some steps, then the patient goes home, is sent up, or stays for
//        treatment. Chances depend on the person and the step only, so the order of tasks changes
//        nothing.
// Check  The same steps without tasks: where each person is at the end, how long it has waited and
//        in how many hospitals it has been.
//
// test: variant untied -DUNTIED
#include "kernel.hpp"

namespace {

constexpr int kChildren = 4;
constexpr int kSteps = 40;
constexpr int kInhabitants = 16;
constexpr int kAssessSteps = 3;
constexpr int kTreatSteps = 8;

struct Person {
  uint32_t id;
  uint32_t steps_left = 0;
  uint32_t steps_waited = 0;
  uint32_t hospitals = 0;

  bool operator==(const Person&) const = default;
  bool happens(int step, uint32_t what, double chance) const {
    return bench::uniform(uint64_t{id} << 24 | static_cast<uint64_t>(step) << 4 | what) < chance;
  }
};

using People = std::vector<Person>;

struct Village {
  int level = 0;  // 0: a leaf
  uint32_t free_doctors = 0;
  People well, waiting, assessed, treated, sent_up;
  std::vector<Village> children;

  bool operator==(const Village&) const = default;
};

Village found(int level, uint32_t& next_person) {
  Village v;
  v.level = level;
  v.free_doctors = 1u << level;
  for (int i = 0; i < kInhabitants; ++i) v.well.push_back({.id = next_person++});
  for (int i = 0; level > 0 && i < kChildren; ++i)
    v.children.push_back(found(level - 1, next_person));
  return v;
}

// Removes persons from `from` for whom `leaves` is true; `leaves` has moved them elsewhere.
template <class Leaves>
void sift(People& from, const Leaves& leaves) {
  std::erase_if(from, [&](Person& p) { return leaves(p); });
}

void go_home(Village& v, Person& p) {
  v.well.push_back({.id = p.id, .steps_waited = p.steps_waited, .hospitals = p.hospitals});
}

void treat(Village& v) {
  sift(v.treated, [&](Person& p) {
    if (--p.steps_left > 0) return false;
    ++v.free_doctors;
    go_home(v, p);
    return true;
  });
}

void assess(Village& v, int step, bool is_root) {
  sift(v.assessed, [&](Person& p) {
    if (--p.steps_left > 0) return false;
    if (!is_root && p.happens(step, 1, 0.35)) {
      ++v.free_doctors;
      v.sent_up.push_back(p);
    } else if (p.happens(step, 2, 0.5)) {
      p.steps_left = kTreatSteps;
      v.treated.push_back(p);
    } else {
      ++v.free_doctors;
      go_home(v, p);
    }
    return true;
  });
}

void admit(Village& v) {
  sift(v.waiting, [&](Person& p) {
    if (v.free_doctors == 0) {
      ++p.steps_waited;
      return false;
    }
    --v.free_doctors;
    ++p.hospitals;
    p.steps_left = kAssessSteps;
    v.assessed.push_back(p);
    return true;
  });
}

void fall_ill(Village& v, int step) {
  sift(v.well, [&](Person& p) {
    if (!p.happens(step, 3, 0.02)) return false;
    v.waiting.push_back(p);
    return true;
  });
}

// Goes through children in their order, whichever was ready first.
void take_in(Village& v) {
  for (Village& child : v.children) {
    v.waiting.insert(v.waiting.end(), child.sent_up.begin(), child.sent_up.end());
    child.sent_up.clear();
  }
}

void own_step(Village& v, int step, bool is_root) {
  treat(v);
  assess(v, step, is_root);
  admit(v);
  fall_ill(v, step);
}

void step_by_recursion(Village& v, int step, bool is_root) {
  for (Village& child : v.children) step_by_recursion(child, step, false);
  own_step(v, step, is_root);
  take_in(v);
}

void step_by_tasks(Village& v, int step, bool is_root) {
  for (size_t i = 0; i < v.children.size(); ++i) {
#pragma omp task TIEDNESS shared(v)
    step_by_tasks(v.children[i], step, false);
  }
  own_step(v, step, is_root);
#pragma omp taskwait
  take_in(v);
}

class Kernel {
 public:
  static constexpr const char* kName = "health";
  static constexpr long kSmall = 2, kLarge = 8, kMost = 9;  // levels above the leaves

  explicit Kernel(long size)
      : levels_(static_cast<int>(size)), country_(fresh()), expected_(fresh()) {
    for (int step = 0; step < kSteps; ++step) step_by_recursion(expected_, step, true);
  }
  void prepare() { country_ = fresh(); }
  void run() {
#pragma omp parallel
#pragma omp single
    for (int step = 0; step < kSteps; ++step) step_by_tasks(country_, step, true);
  }
  bool right() const { return country_ == expected_; }
  long tasks() const { return 0; }

 private:
  Village fresh() const {
    uint32_t next_person = 0;
    return found(levels_, next_person);
  }

  int levels_;
  Village country_, expected_;
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
