// records.hpp: the data types of OpenMP's tool interface, OMPT, as far as the host uses them; and what a tool
// may ask of threads, teams and tasks.
//
// Tools are compiled against other declarations of the types: their layouts and values are those of
// OpenMP 5.2, chapter 19. The runtime's own structures hold the records, which are in use only while a tool
// watches.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vicino::ompt {

// A word that belongs to the tool.
union Data {
  uint64_t value;
  void* pointer;
};

enum FrameFlag : int { kOfRuntime = 0, kOfProgram = 1, kIsCfa = 0x10 };

// Where a task has left its own frames for the runtime's (enter), and where the runtime's end and its own
// begin (exit). The exit is the frame pointer of the function that calls the task's code, and the flags say
// kIsCfa: that is what libomp gives, and what tools made for it expect, also where the pointer is null. OpenMP
// has a flag for frame pointers, which LLVM's tests since 23 refuse.
struct Frame {
  Data exit{}, enter{};
  int exit_flags = kOfRuntime | kIsCfa, enter_flags = kOfProgram | kIsCfa;
};

struct Chunk {
  uint64_t start, iterations;
};

struct Dependence {
  Data variable;
  int type;
};
enum class DependenceType : int {
  kIn = 1,
  kOut = 2,
  kInout = 3,
  kMutexinoutset = 4,
  kSource = 5,
  kSink = 6,
  kInoutset = 7,
  kOutAllMemory = 34,
  kInoutAllMemory = 35,
};

// The events that a tool can ask for.
enum class Event : int {
  kThreadBegin = 1,
  kThreadEnd = 2,
  kParallelBegin = 3,
  kParallelEnd = 4,
  kTaskCreate = 5,
  kTaskSchedule = 6,
  kImplicitTask = 7,
  kTarget = 8,
  kControlTool = 11,
  kSyncRegionWait = 16,
  kMutexReleased = 17,
  kDependences = 18,
  kTaskDependence = 19,
  kWork = 20,
  kMasked = 21,
  kSyncRegion = 23,
  kLockInit = 24,
  kLockDestroy = 25,
  kMutexAcquire = 26,
  kMutexAcquired = 27,
  kNestLock = 28,
  kFlush = 29,
  kCancel = 30,
  kReduction = 31,
  kDispatch = 32,
  kTargetEmi = 33,
  kError = 37,
  // What OpenMP has no event for (docs/reference/tools.md):
  kAsleep = 64,
  kStolen = 65,
  kDecided = 66,
  kPagesMoved = 67,
  kNamed = 68,
  kRegionCode = 69,
  kCrew = 70,
  kGraph = 71,
  kAggregate = 72,
  kCommunication = 73,
  kLent = 74,
};
inline constexpr int kEvents = 75;  // one more than the largest number

enum class SetResult : int { kError = 0, kNever = 1, kSometimes = 3, kAlways = 5 };

enum class ThreadKind : int { kInitial = 1, kWorker = 2 };

enum class Endpoint : int { kBegin = 1, kEnd = 2 };

enum class DispatchKind : int {
  kSection = 2,
  kLoopChunk = 3,
  kTaskloopChunk = 4,
  kDistributeChunk = 5
};

enum class Sync : int {
  kNone = 0,
  kExplicitBarrier = 3,
  kImplementationBarrier = 4,
  kTaskwait = 5,
  kTaskgroup = 6,
  kReduction = 7,
  kWorkshareBarrier = 8,
  kParallelBarrier = 9,
};

enum class Work : int {
  kNone = 0,
  kSections = 2,
  kSingle = 3,
  kSingleOfOther = 4,
  kDistribute = 6,
  kTaskloop = 7,
  kScope = 8,
  kStaticLoop = 10,
  kDynamicLoop = 11,
  kGuidedLoop = 12,
  kOtherLoop = 13,
  // Explicit tasks, which OMPT does not tell by this event: in counts alone (event/useful.hpp).
  kTasks = 0x100,
};

enum class Mutex : int {
  kLock = 1,
  kTestLock = 2,
  kNestLock = 3,
  kTestNestLock = 4,
  kCritical = 5,
  kAtomic = 6,
  kOrdered = 7,
};
// How locks are built; OpenMP leaves these numbers to the runtime.
inline constexpr unsigned kMutexImplementation = 1;

// A target construct with nowait has 8 more.
enum class Target : int { kRegion = 1, kEnterData = 2, kExitData = 3, kUpdate = 4 };

enum TaskFlag : unsigned {
  kInitialTask = 0x1,
  kImplicitTask = 0x2,
  kExplicitTask = 0x4,
  kTaskwaitTask = 0x10,
  kUndeferred = 0x08000000,
  kUntied = 0x10000000,
  kFinal = 0x20000000,
  kMergeable = 0x40000000,
};

enum class TaskStatus : int {
  kComplete = 1,
  kYield = 2,
  kCancel = 3,
  kDetach = 4,
  kEarlyFulfill = 5,
  kLateFulfill = 6,
  kSwitch = 7,
  kTaskwaitComplete = 8,
};

enum ParallelFlag : unsigned {
  kInvokedByProgram = 0x1,
  kInvokedByRuntime = 0x2,
  kLeague = 0x40000000,
  kTeam = 0x80000000,
};

enum CancelFlag : int {
  kCancelParallel = 0x1,
  kCancelSections = 0x2,
  kCancelLoop = 0x4,
  kCancelTaskgroup = 0x8,
  kActivated = 0x10,
  kDetected = 0x20,
  kDiscardedTask = 0x40,
};

enum class Severity : int { kWarning = 1, kFatal = 2 };

enum class State : int {
  kSerial = 0x000,
  kParallel = 0x001,
  kReduction = 0x002,
  kParallelBarrier = 0x011,
  kWorkshareBarrier = 0x012,
  kExplicitBarrier = 0x014,
  kImplementationBarrier = 0x015,
  kTaskwait = 0x020,
  kTaskgroup = 0x021,
  kLock = 0x041,
  kCritical = 0x042,
  kAtomic = 0x043,
  kOrdered = 0x044,
  kIdle = 0x100,
  kOverhead = 0x101,
  kUndefined = 0x102,
};

// What the runtime gives the tool, and what it gets from it, when the tool starts.
using InterfaceFunction = void (*)();
using Lookup = InterfaceFunction (*)(const char* name);
struct StartResult {
  int (*initialize)(Lookup lookup, int initial_device, Data* tool_data);
  void (*finalize)(Data* tool_data);
  Data tool_data;
};
using StartTool = StartResult*(unsigned omp_version, const char* runtime_version);

// --- The records

// The call by which the compiled code has entered the runtime.
struct Caller {
  const void* address = nullptr;  // where it returns to
  void* frame = nullptr;          // of the code that made it: its canonical frame address
};

struct TaskRecord;

struct TeamRecord {
  Data data{};
  int size = 1;
  unsigned flags = 0;                // of ParallelFlag
  Caller caller;                     // of the region
  TaskRecord* encounters = nullptr;  // the task that has met the region
};

struct TaskRecord {
  Data data{};
  Frame frame{};
  unsigned flags = 0;  // of TaskFlag; 0: the program does not know of the task
  int thread = 0;      // the number of its thread in the team
  int team_size = 1;   // of an implicit task
  TeamRecord* team = nullptr;
  TaskRecord* encounters = nullptr;  // of an implicit task: the task that has met its region
  TaskRecord* below = nullptr;       // the task that its thread has suspended for it
  void* enter_below = nullptr;       // what `below` had as its frame before
  Caller caller;                     // of the task's construct
  Chunk chunk{};                     // of a taskloop's task
  void* memory = nullptr;            // an explicit task's data, with the size below
  size_t memory_size = 0;
  // The worksharing construct that the task is in.
  Work work = Work::kNone;
  uint64_t work_count = 0;
  bool is_reducing = false;
  bool is_ending = false;  // an implicit task: it is in the barrier at its end
};

struct ThreadRecord {
  Data data{};
  TaskRecord* task = nullptr;  // the present one
  State state = State::kUndefined;
  uint64_t wait_id = 0;
  uint64_t target = 0;  // the number of the target construct that the thread is in; 0: none
  Caller caller;
  Sync barrier = Sync::kNone;                  // what the next barrier is; kNone: the runtime's own
  TaskStatus switching = TaskStatus::kSwitch;  // why the present task gives way to the next one
};

}  // namespace vicino::ompt
