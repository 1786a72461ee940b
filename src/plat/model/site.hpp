// site.hpp: the places of the program that ask for an order or wake somebody, and how to break one.
#pragma once

#include <atomic>
#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

namespace vicino::model {

using Where = std::source_location;

// What of a call: the order of an access (of a compare_exchange: when it succeeds), that of a
// failed compare_exchange, that an RMW is one step, or a wake.
enum class Part : uint8_t { kAccess, kFailure, kUnity, kWake };

// One order, atomicity or wake-up that the program asked for.
struct Site {
  Where where;
  Part part;
  std::memory_order order = std::memory_order_relaxed;
  friend bool operator==(const Site& a, const Site& b) noexcept;
};

// A program with one site made weaker: another order, an RMW that is a load and a store, a wake-up
// that does not happen.
struct Mutation {
  Site site;
  std::memory_order order = std::memory_order_relaxed;
};

// The ways in which a site can be one step weaker. An order that its access cannot have stands for
// what is left of it there: acq_rel on a load is acquire.
std::vector<Mutation> weaker(const Site& site);

const char* name(std::memory_order order) noexcept;
std::string place(const Where& where);           // gate.hpp:42
std::string function(const Where& where);        // Gate::open
std::string describe(const Mutation& mutation);  // Gate::open (gate.hpp:42): release -> relaxed

}  // namespace vicino::model
