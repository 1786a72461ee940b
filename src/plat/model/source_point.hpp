// source_point.hpp: the points of a program that ask for a memory order or a wake-up, and how to
// weaken one.
#pragma once

#include <atomic>
#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

namespace vicino::model {

using Where = std::source_location;

// Which property of a call: the order of an access (for a compare_exchange, on success), the order
// of a failed compare_exchange, the atomicity of an RMW, or a wake-up.
enum class Part : uint8_t { kAccess, kFailure, kUnity, kWake };

// One order, atomicity or wake-up that the program asked for.
struct SourcePoint {
  Where where;
  Part part;
  std::memory_order order = std::memory_order_relaxed;
  friend bool operator==(const SourcePoint& a, const SourcePoint& b) noexcept;
};

// A program with one point weakened: it has a weaker order, or its RMW is a load and a store, or
// its wake-up does not happen.
struct Mutation {
  SourcePoint point;
  std::memory_order order = std::memory_order_relaxed;
};

// The ways in which a point can be one step weaker. If an order does not exist for the access, the
// part of it that does is meant: acq_rel on a load is acquire.
std::vector<Mutation> weaker(const SourcePoint& point);

const char* name(std::memory_order order) noexcept;
std::string place(const Where& where);     // event_count.hpp:42
std::string function(const Where& where);  // EventCount::advance
// EventCount::advance (event_count.hpp:42): release -> relaxed
std::string describe(const Mutation& mutation);

}  // namespace vicino::model
