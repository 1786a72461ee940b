// event_table.hpp: what a trace has: the name of each kind of event, its category, its fields and their units.
#pragma once

#include <array>
#include <cstdint>

namespace vicino::trace {

// A span lasts until its thread ends it; spans of one thread lie within each other. An instant has no length.
enum class Kind : uint8_t { kSpan, kInstant };

enum class What : uint16_t {
  kEnd,  // of the thread's innermost span
  kRegion,
  kLeague,
  kPart,
  kStaticLoop,
  kDynamicLoop,
  kGuidedLoop,
  kOtherLoop,
  kSections,
  kSingle,
  kDistribute,
  kScope,
  kTaskloop,
  kCrew,
  kGraph,
  kChunk,
  kSection,
  kMasked,
  kReduction,
  kTarget,
  kTask,
  kAggregate,
  kSpawn,
  kIterations,
  kAfter,
  kFulfil,
  kBarrier,
  kJoin,
  kTaskwait,
  kTaskgroup,
  kAsleep,
  kLockWait,
  kCriticalWait,
  kOrderedWait,
  kAtomicWait,
  kCritical,
  kOrdered,
  kAtomic,
  kCancel,
  kError,
  kSteal,
  kDecision,
  kPages,
  kLent,
  kCommunication,
  kNamed,
  kMachine,
  kExit,
  kCount
};

// What a number of a record is. kPlace: an address in the program's code; kText: an address of a text that lives as long
// as the trace; kTask: the number of a task; kLevel: of topo::Distance; kDomain: a 32-bit integer, -1 for none.
enum class Unit : uint8_t { kNone, kCount, kPlace, kText, kTask, kLock, kLevel, kDomain };

struct Field {
  const char* name = nullptr;
  Unit unit = Unit::kNone;
};

struct Row {
  const char* name;
  const char* category;
  Kind kind;
  std::array<Field, 3> fields{};  // of Record::first, ::second and ::third
  bool waits = false;             // a span in which the thread does nothing for the program
};

// By What.
inline constexpr Row kTable[] = {
    {"end", "", Kind::kInstant},
    {"region", "region", Kind::kSpan, {{{"at", Unit::kPlace}, {"asked", Unit::kCount}}}},
    {"league", "region", Kind::kSpan, {{{"at", Unit::kPlace}, {"asked", Unit::kCount}}}},
    {"part",
     "region",
     Kind::kSpan,
     {{{"at", Unit::kPlace}, {"team", Unit::kCount}, {"number", Unit::kCount}}}},
    {"static loop", "work", Kind::kSpan, {{{"at", Unit::kPlace}, {"iterations", Unit::kCount}}}},
    {"dynamic loop", "work", Kind::kSpan, {{{"at", Unit::kPlace}, {"iterations", Unit::kCount}}}},
    {"guided loop", "work", Kind::kSpan, {{{"at", Unit::kPlace}, {"iterations", Unit::kCount}}}},
    {"loop", "work", Kind::kSpan, {{{"at", Unit::kPlace}, {"iterations", Unit::kCount}}}},
    {"sections", "work", Kind::kSpan, {{{"at", Unit::kPlace}, {"sections", Unit::kCount}}}},
    {"single", "work", Kind::kSpan, {{{"at", Unit::kPlace}}}},
    {"distribute", "work", Kind::kSpan, {{{"at", Unit::kPlace}, {"iterations", Unit::kCount}}}},
    {"scope", "work", Kind::kSpan, {{{"at", Unit::kPlace}}}},
    {"taskloop", "work", Kind::kSpan, {{{"at", Unit::kPlace}, {"iterations", Unit::kCount}}}},
    {"crew",
     "work",
     Kind::kSpan,
     {{{"at", Unit::kPlace}, {"threads", Unit::kCount}, {"domain", Unit::kDomain}}}},
    {"graph", "work", Kind::kSpan, {{{"at", Unit::kPlace}, {"aggregates", Unit::kCount}}}},
    {"chunk", "work", Kind::kSpan, {{{"first", Unit::kCount}, {"iterations", Unit::kCount}}}},
    {"section", "work", Kind::kSpan, {{{"at", Unit::kPlace}}}},
    {"masked", "work", Kind::kSpan, {{{"at", Unit::kPlace}}}},
    {"reduction", "work", Kind::kSpan, {{{"at", Unit::kPlace}}}},
    {"target", "work", Kind::kSpan, {{{"at", Unit::kPlace}}}},
    {"task", "task", Kind::kSpan, {{{"task", Unit::kTask}}}},
    {"aggregate",
     "task",
     Kind::kSpan,
     {{{"at", Unit::kPlace}, {"task", Unit::kTask}, {"tasks", Unit::kCount}}}},
    {"spawn", "task", Kind::kInstant, {{{"at", Unit::kPlace}, {"task", Unit::kTask}}}},
    {"iterations",
     "task",
     Kind::kInstant,
     {{{"first", Unit::kCount}, {"iterations", Unit::kCount}}}},
    {"dependence", "task", Kind::kInstant, {{{"after", Unit::kTask}, {"task", Unit::kTask}}}},
    {"event fulfilled", "task", Kind::kInstant, {{{"task", Unit::kTask}}}},
    {"barrier", "wait", Kind::kSpan, {{{"at", Unit::kPlace}}}, true},
    {"join", "wait", Kind::kSpan, {{{"at", Unit::kPlace}}}, true},
    {"taskwait", "wait", Kind::kSpan, {{{"at", Unit::kPlace}}}, true},
    {"taskgroup's end", "wait", Kind::kSpan, {{{"at", Unit::kPlace}}}, true},
    {"asleep", "wait", Kind::kSpan, {}, true},
    {"waits for a lock",
     "lock",
     Kind::kSpan,
     {{{"at", Unit::kPlace}, {"lock", Unit::kLock}}},
     true},
    {"waits for critical",
     "lock",
     Kind::kSpan,
     {{{"at", Unit::kPlace}, {"lock", Unit::kLock}}},
     true},
    {"waits for its turn",
     "lock",
     Kind::kSpan,
     {{{"at", Unit::kPlace}, {"lock", Unit::kLock}}},
     true},
    {"waits for an atomic",
     "lock",
     Kind::kSpan,
     {{{"at", Unit::kPlace}, {"lock", Unit::kLock}}},
     true},
    {"critical", "lock", Kind::kSpan, {{{"at", Unit::kPlace}, {"lock", Unit::kLock}}}},
    {"ordered", "lock", Kind::kSpan, {{{"at", Unit::kPlace}, {"lock", Unit::kLock}}}},
    {"atomic", "lock", Kind::kSpan, {{{"at", Unit::kPlace}, {"lock", Unit::kLock}}}},
    {"cancel", "region", Kind::kInstant, {{{"at", Unit::kPlace}, {"task", Unit::kTask}}}},
    {"error", "region", Kind::kInstant, {{{"says", Unit::kText}}}},
    {"steal",
     "vicino",
     Kind::kInstant,
     {{{"from thread", Unit::kCount}, {"distance", Unit::kLevel}}}},
    {"decision",
     "vicino",
     Kind::kInstant,
     {{{"at", Unit::kPlace}, {"schedule", Unit::kText}, {"threads", Unit::kCount}}}},
    {"pages", "vicino", Kind::kInstant, {{{"what", Unit::kText}}}},
    {"cores", "vicino", Kind::kInstant, {{{"what", Unit::kText}, {"cores", Unit::kCount}}}},
    {"communication",
     "mpi",
     Kind::kSpan,
     {{{"at", Unit::kPlace}, {"function", Unit::kText}}},
     true},
    {"of the program", "program", Kind::kSpan, {{{"name", Unit::kText}}}},
    {"machine",
     "trace",
     Kind::kInstant,
     {{{"CPUs allowed", Unit::kCount}, {"CPUs", Unit::kCount}, {"ms before", Unit::kCount}}}},
    {"exit", "trace", Kind::kInstant},
};
static_assert(std::size(kTable) == static_cast<std::size_t>(What::kCount));

// Of which there may be very many. They leave room for the others, so that a trace from which events were dropped still
// has the program's regions and loops.
constexpr bool is_fine(What what) noexcept {
  return (what >= What::kChunk && what <= What::kSection) ||
         (what >= What::kTask && what <= What::kFulfil) || what == What::kTaskwait ||
         (what >= What::kLockWait && what <= What::kAtomic) || what == What::kSteal ||
         what == What::kCommunication;
}

constexpr const Row& row_of(What what) noexcept { return kTable[static_cast<std::size_t>(what)]; }

// What a thread writes of an event. Of a region, `third` is how far behind the call its function lies, as a 32-bit integer; 0: not
// known.
struct Record {
  uint64_t ticks;  // of the clock of clock.hpp
  uint64_t first, second;
  uint32_t third;
  What what;
};
static_assert(sizeof(Record) == 32);

}  // namespace vicino::trace
