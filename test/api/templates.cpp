// vicino/loop.hpp from C++17 on: ranges, reductions, exceptions.
// test: uses -std=c++17 -pedantic-errors -Werror
// test: variant cpp20 -std=c++20
#include <omp.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cmath>
#include <deque>
#include <fstream>
#include <functional>
#include <new>
#include <string>
#include <thread>
#include <vector>
#include <vicino/loop.hpp>

#include "../omp/check.h"

namespace {

using vicino::range;
using vicino::range2d;

template <class Use>
void with_each_schedule(Use use) {
  use(vicino::schedule());
  for (size_t i = 0; vicino_schedule_name(i) != nullptr; ++i) {
    use(vicino::schedule(vicino_schedule_name(i)));
    use(vicino::schedule(std::string(vicino_schedule_name(i)) + ",3"));
  }
}

using Seen = std::vector<unsigned char>;

void each_once(Seen& seen) { CHECK_EACH_ONCE(seen.data(), static_cast<long>(seen.size())); }

template <class T>
void numbers(T first, T last, const vicino::schedule& how) {
  Seen seen(static_cast<size_t>(last) - static_cast<size_t>(first));
  const auto note = [&](T i) {
    hit(seen.data(), static_cast<long>(static_cast<size_t>(i) - static_cast<size_t>(first)));
  };
  vicino::parallel_for(range(first, last), note, how);
  each_once(seen);
  vicino::parallel_for(
      range(first, last),
      [&](T from, T to) {
        CHECK(from < to);
        for (T i = from; i < to; ++i) note(i);
      },
      how);
  each_once(seen);
}

template <class T>
void at_the_limits(const vicino::schedule& how) {
  using Limits = std::numeric_limits<T>;
  const int few = sizeof(T) == 1 ? 100 : 500;
  numbers<T>(Limits::min(), static_cast<T>(Limits::min() + few), how);
  numbers<T>(static_cast<T>(Limits::max() - few), Limits::max(), how);
  numbers<T>(0, 0, how);
  vicino::parallel_for(range<T>(5, 3), [](T) { CHECK(false); }, how);
}

void every_type(const vicino::schedule& how) {
  at_the_limits<signed char>(how);
  at_the_limits<unsigned char>(how);
  at_the_limits<short>(how);
  at_the_limits<int>(how);
  at_the_limits<unsigned>(how);
  at_the_limits<long>(how);
  at_the_limits<unsigned long>(how);
  at_the_limits<long long>(how);
  std::atomic<unsigned long> sum{0};
  vicino::parallel_for(
      range(0ul, ~0ul), [&](unsigned long first, unsigned long last) { sum += last - first; },
      "static");
  CHECK(sum == ~0ul);
  int mixed = 0;
  vicino::parallel_for(range(0, size_t{1}), [&](size_t) { ++mixed; }, how);
  CHECK_EQ(mixed, 1);
}

void iterators(const vicino::schedule& how) {
  std::deque<int> values(777);
  vicino::parallel_for(range(values.begin(), values.end()), [](auto i) { ++*i; }, how);
  vicino::parallel_for(
      range(values.begin(), values.end()),
      [](auto first, auto last) {
        for (; first != last; ++first) ++*first;
      },
      how);
  for (const int value : values) CHECK_EQ(value, 2);
  std::array<int, 5> few{};
  vicino::parallel_for(range(few.data(), few.data() + few.size()), [](int* i) { *i = 1; }, how);
  for (const int value : few) CHECK_EQ(value, 1);
}

void rectangles(int rows, int columns, int tile_rows, int tile_columns,
                const vicino::schedule& how) {
  Seen seen(static_cast<size_t>(rows) * static_cast<size_t>(columns));
  const auto note = [&](int row, int column) {
    CHECK(row >= -3 && row < rows - 3 && column >= 10 && column < 10 + columns);
    hit(seen.data(), static_cast<long>(row + 3) * columns + column - 10);
  };
  const range2d<int> cells({-3, rows - 3}, {10, 10 + columns}, tile_rows, tile_columns);
  vicino::parallel_for(cells, note, how);
  each_once(seen);
  vicino::parallel_for(
      cells,
      [&](const range2d<int>::rectangle& r) {
        CHECK(r.first_row < r.last_row && r.first_column < r.last_column);
        CHECK((r.first_row + 3) % tile_rows == 0 && (r.first_column - 10) % tile_columns == 0);
        for (int row = r.first_row; row < r.last_row; ++row)
          for (int column = r.first_column; column < r.last_column; ++column) note(row, column);
      },
      how);
  each_once(seen);
}

void every_rectangle(const vicino::schedule& how) {
  for (const auto& [rows, columns] : {std::pair{0, 5}, {5, 0}, {1, 1}, {7, 100}, {64, 48}, {100, 3}})
    for (const auto& [tall, wide] : {std::pair{1, 1000}, {1, 1}, {8, 8}, {3, 7}, {1000, 1}})
      rectangles(rows, columns, tall, wide, how);
  // Without a tile size a rectangle has whole rows, so the number of columns may be any.
  vicino::parallel_for(
      range2d<int>({0, 20}, {0, 30}),
      [](const range2d<int>::rectangle& r) {
        CHECK_EQ(r.first_column, 0);
        CHECK_EQ(r.last_column, 30);
      },
      how);
  std::atomic<unsigned long> rows{0};
  vicino::parallel_for(
      range2d<unsigned long>({0, ~0ul}, {5, ~0ul}),
      [&](const auto& r) { rows += r.last_row - r.first_row; }, "static");
  CHECK(rows == ~0ul);
}

struct Counted {
  static inline std::atomic<int> alive{0};
  std::vector<int> members;  // so that a copy of the bytes is not enough

  explicit Counted(int member = -1) {
    if (member >= 0) members.push_back(member);
    ++alive;
  }
  Counted(const Counted& other) : members(other.members) { ++alive; }
  Counted(Counted&& other) noexcept : members(std::move(other.members)) { ++alive; }
  Counted& operator=(const Counted&) = default;
  Counted& operator=(Counted&&) = default;
  ~Counted() { --alive; }
};

void reductions(const vicino::schedule& how) {
  const long sum = vicino::parallel_reduce(
      range(1, 1001), 0L, [](int i) -> long { return i; }, std::plus<>(), how);
  CHECK_EQ(sum, 500500);
  CHECK_EQ(vicino::parallel_reduce(
               range(1, 1001), 7,
               [](int first, int last, int most) { return std::max({most, last - 1, first}); },
               [](int a, int b) { return std::max(a, b); }, how),
           1000);
  CHECK_EQ(vicino::parallel_reduce(range(3, 3), 7, [](int i) { return i; }, std::plus<>(), how), 7);
  const range2d<int> cells({0, 31}, {0, 17}, 4, 4);
  CHECK_EQ(vicino::parallel_reduce(
               cells, 0, [](int row, int column) { return row * column; }, std::plus<>(), how),
           465 * 136);
  CHECK_EQ(vicino::parallel_reduce(
               cells, 0,
               [](const range2d<int>::rectangle& r, int count) {
                 return count + (r.last_row - r.first_row) * (r.last_column - r.first_column);
               },
               std::plus<>(), how),
           31 * 17);
  {
    const Counted all = vicino::parallel_reduce(
        range(0, 300), Counted(), [](int i) { return Counted(i); },
        [](Counted a, const Counted& b) {
          a.members.insert(a.members.end(), b.members.begin(), b.members.end());
          return a;
        },
        how);
    Seen seen(300);
    for (const int member : all.members) hit(seen.data(), member);
    each_once(seen);
  }
  CHECK_EQ(Counted::alive.load(), 0);
}

// Under a static schedule the partial results are combined in the order of the iterations, however
// many threads there are.
void keeps_order() {
  using Text = std::vector<int>;
  const Text all = vicino::parallel_reduce(
      range(0, 1000), Text(),
      [](int first, int last, Text text) {
        for (int i = first; i < last; ++i) text.push_back(i);
        return text;
      },
      [](Text a, const Text& b) {
        a.insert(a.end(), b.begin(), b.end());
        return a;
      },
      "static");
  for (int i = 0; i < 1000; ++i) CHECK_EQ(all.at(static_cast<size_t>(i)), i);
}

struct Thrown {
  int at;
};

void exceptions(const vicino::schedule& how) {
  int caught = -1;
  std::atomic<long> calls{0};
  try {
    vicino::parallel_for(
        range(0L, 1L << 62),
        [&](long first, long) {
          ++calls;
          if (first >= 50) throw Thrown{1};
          if (omp_get_num_threads() == 1) throw Thrown{1};
        },
        how);
  } catch (const Thrown& thrown) {
    caught = thrown.at;
  }
  // In a static loop the first chunk may be all the work of the one thread that came.
  CHECK(caught == 1 || omp_get_max_threads() > 1);
  CHECK(calls < 100000);

  caught = -1;
  try {
    vicino::parallel_reduce(
        range(0, 1000), Counted(),
        [](int i) {
          if (i % 10 == 3) throw Thrown{i};
          return Counted(i);
        },
        [](Counted a, const Counted&) { return a; }, how);
  } catch (const Thrown& thrown) {
    caught = thrown.at;
  }
  CHECK_EQ(caught % 10, 3);
  CHECK_EQ(Counted::alive.load(), 0);
  numbers(0, 1000, how);
}

// When several threads throw, the exception of the first iteration is thrown on. All threads have
// begun their chunk before one throws.
void first_exception() {
  for (int round = 0; round < 20; ++round) {
    const int threads = omp_get_max_threads();
    std::atomic<int> begun{0};
    int caught = -1, team = 0;
    try {
      vicino::parallel_for(
          range(0, threads),
          [&](int i) {
            if (i == 0) team = omp_get_num_threads();
            ++begun;
            while (begun < omp_get_num_threads()) std::this_thread::yield();
            throw Thrown{i};
          },
          "static,1");
    } catch (const Thrown& thrown) {
      caught = thrown.at;
    }
    CHECK_EQ(team, threads);
    CHECK_EQ(caught, 0);
  }
}

void throws_when_combined() {
  const auto reduce = [] {
    return vicino::parallel_reduce(
        range(0, 100), Counted(),
        [](int, int, Counted value) {
          value.members.push_back(omp_get_thread_num());
          return value;
        },
        [](const Counted&, const Counted& b) -> Counted { throw Thrown{b.members.at(0)}; },
        "static");
  };
  try {
    reduce();
    CHECK(false);
  } catch (const Thrown& thrown) {
    CHECK_EQ(thrown.at, 0);
  }
  CHECK_EQ(Counted::alive.load(), 0);
}

template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "accepted";
}

void refused() {
  const auto nothing = [](int) {};
  CHECK(refusal([] { vicino::schedule("inch"); }).find("no schedule 'inch'; there are ich") !=
        std::string::npos);
  CHECK(refusal([&] {
          vicino::loop_options options;
          options.threads = -2;
          vicino::parallel_for(range(0, 1), nothing, options);
        }).find("-2 threads") != std::string::npos);
  CHECK(refusal([] { range2d<int>({0, 1}, {0, 1}, 0, 5); }).find("0 by 5") != std::string::npos);
  CHECK(refusal([] {
          vicino::parallel_for(range2d<unsigned long>({0, ~0ul}, {0, 9}, 1, 1), [](auto&&) {});
        }).find("18446744073709551615 by 9") != std::string::npos);
}

void options_are_heard() {
  vicino::loop_options options;
  options.threads = 2;
  options.schedule = "static";
  options.site = VICINO_HERE;
  std::atomic<int> team{0};
  vicino::parallel_for(range(0, 100), [&](int) { team = omp_get_num_threads(); }, options);
  CHECK_EQ(team.load(), 2);
}

void in_regions_and_threads(const vicino::schedule& how) {
#pragma omp parallel
  numbers(0, 300, how);
  const int levels = omp_get_max_active_levels();
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
    numbers(0, 300, how);
#pragma omp single
    for (int i = 0; i < 3; ++i) {
#pragma omp task firstprivate(how)
      numbers(0, 300, how);
    }
  }
  omp_set_max_active_levels(levels);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { numbers(0, 500, how); });
  for (auto& thread : threads) thread.join();
}

// Either each iteration runs, or an exception says that none did.
void without_memory() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  rlimit limit;
  CHECK_EQ(getrlimit(RLIMIT_AS, &limit), 0);
  const rlimit usual = limit;
  std::ifstream("/proc/self/statm") >> limit.rlim_cur;
  limit.rlim_cur = limit.rlim_cur * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (1 << 20);
  vicino::loop_options options;
  options.threads = 1000;
  std::atomic<int> count{0};
  bool lacked = false;
  CHECK_EQ(setrlimit(RLIMIT_AS, &limit), 0);
  try {
    vicino::parallel_for(range(0, 10), [&](int) { ++count; }, options);
  } catch (const std::bad_alloc&) {
    lacked = true;
  }
  CHECK_EQ(setrlimit(RLIMIT_AS, &usual), 0);
  CHECK_EQ(count.load(), lacked ? 0 : 10);
#endif
}

}  // namespace

int main() {
  with_each_schedule(every_type);
  with_each_schedule(iterators);
  with_each_schedule(every_rectangle);
  with_each_schedule(reductions);
  with_each_schedule(exceptions);
  with_each_schedule(in_regions_and_threads);
  keeps_order();
  first_exception();
  throws_when_combined();
  refused();
  options_are_heard();
  without_memory();
  return check_result();
}
