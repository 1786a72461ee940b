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

// What a short site may choose from: nothing, or all threads and one; or whether any site has only
// these two.
enum class IfShort : uint8_t { kLeaveAlone, kTryOneThread, kOrLongTryOneThread };

// What another site of about this length has found.
struct Found {
  Choice choice;
  std::optional<Choice> second;
  int bits = 0;  // how much longer that site's loops are, in powers of two; not 0
};

struct TunerConstants {
  static constexpr double kShort = 10'000;  // ns an execution
  // ns: so long an execution of all threads was hardly made hopeless by something else.
  static constexpr double kLong = 10e6;
  static constexpr double kUneven = 0.2;
  static constexpr uint32_t kLooks = 3;  // executions before a site counts as short; of a width
  static constexpr uint32_t kOff = 8;
  static constexpr uint32_t kRecheck = 128;
  static constexpr uint32_t kMostMissed = 8;
  static constexpr double kUp = 1.5, kDown = 0.6;  // times the settled cost
};

}  // namespace vicino::tune
