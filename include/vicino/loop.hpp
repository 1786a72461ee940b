// loop.hpp: parallel loops and reductions in C++17, on the threads of OpenMP's regions.
//
//     vicino::parallel_for(vicino::range(0, n), [&](int i) { c[i] = a[i] + b[i]; });
//
//     double dot = vicino::parallel_reduce(vicino::range(0, n), 0.0,
//         [&](int i) { return a[i] * b[i]; }, std::plus<>(), "staggered");
//
// vicino/loop.h says what a loop is, where it may stand and what its body may do. This header uses
// only loop.h, and its templates become part of the program. It adds:
//
//   bodies       several threads at a time call one object: the caller's
//   exceptions   an exception that leaves a body or a combination ends the loop early and is thrown
//                to the caller. If there are several, it is that of the chunk that comes first in
//                the range; the others are dropped. Chunks that have begun are finished before that
//   schedules    are given by their text, as for VICINO_SCHEDULE; an unknown text throws
//                std::invalid_argument, which says what is accepted
//
// More, with examples: docs/reference/loops-api.md.
#ifndef VICINO_LOOP_HPP
#define VICINO_LOOP_HPP

#include <vicino/loop.h>

#include <cerrno>
#include <cstdint>
#include <exception>
#include <iterator>
#include <limits>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace vicino {

// A schedule. Reading a text takes a lock and some microseconds, so a loop that is run often should
// keep its schedule.
class schedule {
 public:
  // The schedule that OMP_SCHEDULE and VICINO_SCHEDULE name.
  schedule() = default;

  // The schedule that the text names. Throws std::invalid_argument, which says what is accepted.
  schedule(const char* text) {
    char message[512];
    handle_ = vicino_schedule_parse(text, message, sizeof message);
    if (handle_ == nullptr) throw std::invalid_argument(std::string("vicino: ") + message);
  }
  schedule(const std::string& text) : schedule(text.c_str()) {}

  // For the functions of vicino/loop.h; null: the schedule that the variables name.
  const vicino_schedule* handle() const noexcept { return handle_; }

 private:
  const vicino_schedule* handle_ = nullptr;
};

// All options of a loop. `site` is as in vicino/loop.h. If it is null, loops with a body of the
// same type are the same loop; each lambda expression has a type of its own.
struct loop_options {
  vicino::schedule schedule = {};
  int threads = 0;  // 0: as many as a region has
  const char* site = nullptr;
};

// [first, last): numbers of an integral type, or random access iterators. Empty if last <= first.
template <class T>
struct range {
  // Two bounds of different types become their common type: range(0, n).
  range(T its_first, T its_last) : first(its_first), last(its_last) {}

  // The bounds; `last` is one past the end.
  T first, last;
};
template <class A, class B>
range(A, B) -> range<std::common_type_t<A, B>>;

// Rows and columns, each [first, last), cut into tiles; at the borders tiles are cut off. A chunk
// of the loop is a number of tiles that follow each other along the rows of tiles. Row-major arrays
// want tiles of whole rows, which are the default.
template <class T>
struct range2d {
  static_assert(std::is_integral_v<T>, "a range2d is of integers");

  // What a body may take: some rows, and some columns of each.
  struct rectangle {
    T first_row, last_row, first_column, last_column;  // last_... are one past the end
  };

  // Without sizes a tile is a row. Throws std::invalid_argument for a tile without rows or columns.
  range2d(range<T> its_rows, range<T> its_columns, T its_tile_rows = 1,
          T its_tile_columns = std::numeric_limits<T>::max())
      : rows(its_rows),
        columns(its_columns),
        tile_rows(its_tile_rows),
        tile_columns(its_tile_columns) {
    if (tile_rows < 1 || tile_columns < 1)
      throw std::invalid_argument("vicino: a tile of " + std::to_string(tile_rows) + " by " +
                                  std::to_string(tile_columns) +
                                  "; it must have at least one row and one column");
  }

  // The sides, and the size of a tile.
  range<T> rows, columns;
  T tile_rows, tile_columns;
};

namespace detail {

// Iterations are counted from the least number of the C functions' type, so that every range of 64
// bits fits.
inline std::int64_t to_position(std::uint64_t i) noexcept {
  return static_cast<std::int64_t>(i ^ (std::uint64_t{1} << 63));
}
inline std::uint64_t from_position(std::int64_t i) noexcept {
  return static_cast<std::uint64_t>(i) ^ (std::uint64_t{1} << 63);
}

template <class T>
std::uint64_t size_of(const range<T>& r) {
  static_assert(!std::is_same_v<T, bool>, "a range is of numbers or iterators, not of bool");
  static_assert(!std::is_integral_v<T> || sizeof(T) <= sizeof(std::uint64_t),
                "the numbers of a range have at most 64 bits");
  if constexpr (std::is_integral_v<T>)
    return r.first < r.last
               ? static_cast<std::uint64_t>(r.last) - static_cast<std::uint64_t>(r.first)
               : 0;
  else
    return r.first < r.last ? static_cast<std::uint64_t>(r.last - r.first) : 0;
}

template <class T>
T at(const range<T>& r, std::uint64_t i) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::uint64_t>(r.first) + i);
  else
    return r.first + static_cast<typename std::iterator_traits<T>::difference_type>(i);
}

// How many tiles cover `length`; the last one may be cut off.
inline std::uint64_t tiles_in(std::uint64_t length, std::uint64_t tile) noexcept {
  return length / tile + (length % tile != 0);
}

template <class T>
std::uint64_t size_of(const range2d<T>& r) {
  const std::uint64_t rows = tiles_in(size_of(r.rows), static_cast<std::uint64_t>(r.tile_rows));
  const std::uint64_t columns =
      tiles_in(size_of(r.columns), static_cast<std::uint64_t>(r.tile_columns));
  if (columns != 0 && rows > std::numeric_limits<std::uint64_t>::max() / columns)
    throw std::length_error("vicino: a range2d of " + std::to_string(rows) + " by " +
                            std::to_string(columns) + " tiles; at most 2^64 - 1 can be counted");
  return rows * columns;
}

// Tiles [begin, end) of a side, as a range of its rows or columns; the last tile may be cut off.
template <class T>
range<T> along(const range<T>& side, std::uint64_t tile, std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t whole = size_of(side);
  const bool reaches_end = end == tiles_in(whole, tile);
  return {at(side, begin * tile), at(side, reaches_end ? whole : end * tile)};
}

template <class T>
typename range2d<T>::rectangle rectangle_of(const range2d<T>& r, std::uint64_t top,
                                            std::uint64_t bottom, std::uint64_t left,
                                            std::uint64_t right) {
  const range<T> rows = along(r.rows, static_cast<std::uint64_t>(r.tile_rows), top, bottom);
  const range<T> columns =
      along(r.columns, static_cast<std::uint64_t>(r.tile_columns), left, right);
  return {rows.first, rows.last, columns.first, columns.last};
}

// Tiles [begin, end) are the end of a row of tiles, whole rows, and the beginning of a row; each of
// the three may be missing.
template <class T, class Use>
void for_each_rectangle(const range2d<T>& r, std::uint64_t begin, std::uint64_t end, Use use) {
  const std::uint64_t width =
      tiles_in(size_of(r.columns), static_cast<std::uint64_t>(r.tile_columns));
  while (begin < end) {
    const std::uint64_t row = begin / width, column = begin % width;
    const std::uint64_t left = end - begin;
    if (column == 0 && left >= width) {
      use(rectangle_of(r, row, row + left / width, 0, width));
      begin += left / width * width;
    } else {
      const std::uint64_t taken = left < width - column ? left : width - column;
      use(rectangle_of(r, row, row + 1, column, column + taken));
      begin += taken;
    }
  }
}

// Keeps the exception of the earliest chunk.
class failure {
 public:
  void keep(std::int64_t first) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (exception_ == nullptr || first < first_) {
      exception_ = std::current_exception();
      first_ = first;
    }
  }
  // For the caller, when the loop has ended.
  bool any() const noexcept { return exception_ != nullptr; }
  void rethrow() const {
    if (any()) std::rethrow_exception(exception_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr exception_;
  std::int64_t first_ = 0;
};

// One address for each type of body.
template <class Body>
inline char site_of_body = 0;

template <class Body>
vicino_loop_options options_for(const loop_options& options) {
  if (options.threads < 0)
    throw std::invalid_argument("vicino: a loop with " + std::to_string(options.threads) +
                                " threads; it must be 0, for as many as a region has, or more");
  return {options.schedule.handle(), options.threads,
          options.site != nullptr ? options.site : &site_of_body<Body>};
}

template <class Body, class T>
void run_chunk(Body& body, const range<T>& r, std::uint64_t begin, std::uint64_t end) {
  if constexpr (std::is_invocable_v<Body&, T, T>) {
    body(at(r, begin), at(r, end));
  } else {
    static_assert(std::is_invocable_v<Body&, T>,
                  "the body of a loop takes an iteration, or a chunk's first and last");
    const T last = at(r, end);
    for (T i = at(r, begin); i != last; ++i) body(i);
  }
}

template <class Body, class T>
void run_chunk(Body& body, const range2d<T>& r, std::uint64_t begin, std::uint64_t end) {
  using rectangle = typename range2d<T>::rectangle;
  for_each_rectangle(r, begin, end, [&](const rectangle& part) {
    if constexpr (std::is_invocable_v<Body&, T, T>) {
      for (T row = part.first_row; row != part.last_row; ++row)
        for (T column = part.first_column; column != part.last_column; ++column) body(row, column);
    } else {
      static_assert(std::is_invocable_v<Body&, const rectangle&>,
                    "the body of a loop over a range2d takes a row and a column, or a rectangle");
      body(part);
    }
  });
}

template <class Range, class Body>
struct plain_loop {
  const Range& over;
  Body& body;
  failure failed = {};

  static int run(std::int64_t first, std::int64_t last, void* data) noexcept {
    auto& self = *static_cast<plain_loop*>(data);
    try {
      run_chunk(self.body, self.over, from_position(first), from_position(last));
      return 0;
    } catch (...) {
      self.failed.keep(first);
      return -1;
    }
  }
};

template <class Body, class T, class Value, class Combine>
void reduce_chunk(Body& body, const range<T>& r, Value& value, Combine& combine,
                  std::uint64_t begin, std::uint64_t end) {
  if constexpr (std::is_invocable_v<Body&, T, T, Value>) {
    value = body(at(r, begin), at(r, end), std::move(value));
  } else {
    static_assert(std::is_invocable_v<Body&, T>,
                  "the body of a reduction takes an iteration, or a chunk's first and last and "
                  "what the value has been so far");
    const T last = at(r, end);
    for (T i = at(r, begin); i != last; ++i) value = combine(std::move(value), body(i));
  }
}

template <class Body, class T, class Value, class Combine>
void reduce_chunk(Body& body, const range2d<T>& r, Value& value, Combine& combine,
                  std::uint64_t begin, std::uint64_t end) {
  using rectangle = typename range2d<T>::rectangle;
  for_each_rectangle(r, begin, end, [&](const rectangle& part) {
    if constexpr (std::is_invocable_v<Body&, const rectangle&, Value>) {
      value = body(part, std::move(value));
    } else {
      static_assert(std::is_invocable_v<Body&, T, T>,
                    "the body of a reduction over a range2d takes a row and a column, or a "
                    "rectangle and what the value has been so far");
      for (T row = part.first_row; row != part.last_row; ++row)
        for (T column = part.first_column; column != part.last_column; ++column)
          value = combine(std::move(value), body(row, column));
    }
  });
}

// A partial result is made in two steps, because C's `init` may not throw, but a copy of the
// identity may.
template <class Range, class Value, class Body, class Combine>
struct reducing_loop {
  const Range& over;
  const Value& identity;
  Body& body;
  Combine& combine;
  failure failed = {};

  using partial = std::optional<Value>;
  static_assert(alignof(partial) <= 128, "a partial result is aligned to 128 bytes");

  static void init(void* memory, void*) noexcept { new (memory) partial(); }

  static int run(std::int64_t first, std::int64_t last, void* memory, void* data) noexcept {
    auto& self = *static_cast<reducing_loop*>(data);
    auto& mine = *static_cast<partial*>(memory);
    try {
      if (!mine) mine.emplace(self.identity);
      reduce_chunk(self.body, self.over, *mine, self.combine, from_position(first),
                   from_position(last));
      return 0;
    } catch (...) {
      self.failed.keep(first);
      return -1;
    }
  }

  void take(Value& result, Value& theirs) noexcept {
    try {
      result = combine(std::move(result), std::move(theirs));
    } catch (...) {
      failed.keep(0);
    }
  }

  // After a failure, partial results are only destroyed.
  static void finish(void* result, void* memory, void* data) noexcept {
    auto& self = *static_cast<reducing_loop*>(data);
    auto& theirs = *static_cast<partial*>(memory);
    auto& value = *static_cast<Value*>(result);
    if (!self.failed.any()) self.take(value, *theirs);
    theirs.~partial();
  }
};

}  // namespace detail

// Runs `body` for each iteration of `over`. The body takes an iteration, or a chunk's first and
// last: body(i) or body(first, last); over a range2d body(row, column), or body(rectangle), where a
// chunk is up to three rectangles.
template <class Range, class Body>
void parallel_for(const Range& over, Body&& body, const loop_options& options) {
  using loop = detail::plain_loop<Range, std::remove_reference_t<Body>>;
  const vicino_loop_options c = detail::options_for<std::remove_reference_t<Body>>(options);
  loop l{over, body};
  if (vicino_parallel_for(detail::to_position(0), detail::to_position(detail::size_of(over)),
                          &loop::run, &l, &c) == ENOMEM)
    throw std::bad_alloc();
  l.failed.rethrow();
}

// The same with a schedule and no other options.
template <class Range, class Body>
void parallel_for(const Range& over, Body&& body, const schedule& how = {}) {
  loop_options options;
  options.schedule = how;
  parallel_for(over, std::forward<Body>(body), options);
}

// Returns `identity` combined with all values of `body`. body(i) gives a value; body(first, last,
// value) takes the value so far and gives the value with the chunk; over a range2d the forms are
// body(row, column) and body(rectangle, value). Each thread begins with a copy of `identity`, and
// the threads' values are combined by increasing thread number: combine(value, value), which has to
// be associative.
//
// vicino_parallel_reduce in vicino/loop.h says when results are the same to the last bit.
template <class Range, class Value, class Body, class Combine>
Value parallel_reduce(const Range& over, Value identity, Body&& body, Combine&& combine,
                      const loop_options& options) {
  using loop = detail::reducing_loop<Range, Value, std::remove_reference_t<Body>,
                                     std::remove_reference_t<Combine>>;
  const vicino_loop_options c = detail::options_for<std::remove_reference_t<Body>>(options);
  const vicino_reduction reduction = {sizeof(typename loop::partial), &loop::init, &loop::finish};
  loop l{over, identity, body, combine};
  Value result = identity;
  if (vicino_parallel_reduce(detail::to_position(0), detail::to_position(detail::size_of(over)),
                             &loop::run, &l, &reduction, &result, &c) == ENOMEM)
    throw std::bad_alloc();
  l.failed.rethrow();
  return result;
}

// The same with a schedule and no other options.
template <class Range, class Value, class Body, class Combine>
Value parallel_reduce(const Range& over, Value identity, Body&& body, Combine&& combine,
                      const schedule& how = {}) {
  loop_options options;
  options.schedule = how;
  return parallel_reduce(over, std::move(identity), std::forward<Body>(body),
                         std::forward<Combine>(combine), options);
}

}  // namespace vicino

#endif
