// choice.hpp: what the tuner of a call site chooses, what it chooses from, and the numbers that it
// goes by.
#pragma once

#include <cstdint>
#include <optional>

namespace vicino::tune {

struct Choice {
  uint32_t candidate = 0;  // a schedule, by its place in the list that the site's owner has
  int threads = 0;
  bool operator==(const Choice&) const = default;
};

// An execution that has begun. It is timed if it has the site's lease (tune/lease.hpp).
struct Begun {
  Choice choice;
  uint64_t lease = 0;  // Lease::Token; 0: none
};

// What an execution took.
struct Taken {
  double ns = 0;
  uint64_t trip = 1;                  // iterations; not 0
  std::optional<double> amount = {};  // what the objective counted, if it is not time
  double idle = 0;  // the part of the time that threads waited for each other, if that is known
};

// What else is known of an execution of a loop on several nodes.
struct OnNodes {
  std::optional<double> outside;  // ns from its end to the site's next execution
  double count = 1;               // for how many executions it stands: most are not timed
};

enum class Phase : uint8_t { kWarmUp, kLike, kWidths, kSchedules, kSettled, kLeftAlone };

// kLeaveAlone: a short site keeps the default. kTryOneThread: it chooses between all threads and one.
// kOrLongTryOneThread: so does a long site.
enum class IfShort : uint8_t { kLeaveAlone, kTryOneThread, kOrLongTryOneThread };

// What another site of about this length has found.
struct Found {
  Choice choice;
  std::optional<Choice> second;
  int bits = 0;  // how much longer that site's loops are, in powers of two; not 0
};

struct TunerConstants {
  // A site is short if its executions take less, in ns. The least gain that counts, 2 % of them
  // (Policy::worth), is no more than some readings of the clock.
  static constexpr double kShort = 10'000;
  // One execution on all threads that is longer, in ns, is enough to call all threads hopeless. They
  // are if they take half as long again as the best (Race::kHopeless), which is 3 ms or more here: a
  // thread that lost its core for a time slice does not explain that.
  static constexpr double kLong = 10e6;
  // A loop is uneven if its threads waited for each other for more than this part of their time: so
  // much an even schedule may gain.
  static constexpr double kUneven = 0.2;
  // So many executions tell that a site is short, or what a width costs: the least of three is right
  // if two were disturbed.
  static constexpr uint32_t kLooks = 3;
  // A settled site explores again after so many executions in a row that cost something else, more
  // than kUp or less than kDown times what it was settled on. Exploring takes at least as many
  // executions, so what ends before is not worth it. kUp is where a race calls a candidate hopeless,
  // and kDown somewhat below its inverse.
  static constexpr uint32_t kOff = 8;
  static constexpr double kUp = 1.5, kDown = 0.6;
  // One execution of so many uses what came second. That costs half a percent at most, since what
  // came second is seldom hopeless.
  static constexpr uint32_t kRecheck = 128;
  // A site is left alone after so many executions in a row that say nothing, as they were cancelled
  // or could not be counted: the next ones will hardly say more.
  static constexpr uint32_t kMostMissed = 8;
};

}  // namespace vicino::tune
