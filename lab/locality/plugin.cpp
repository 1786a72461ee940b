// plugin.cpp: connects QEMU and the model. QEMU calls the plugin for each block, mark, PAUSE and
// access. memory.hpp says what is counted and what it costs, lockstep.hpp when CPUs take turns.
//
//  P1 One thread. QEMU runs all CPUs on one thread (-accel tcg,thread=single): no locks, and with
//     -icount the same order in every run. A call by another thread is refused.
//  P2 Callbacks come with the need. Accesses are watched from the first START on. Without the model's
//     clock turns are kept from ARM or the first START on, and before that blocks run as fast as
//     without a plugin. Code that was translated before is translated anew.
//  P3 With the model's clock turns are kept from the first block on, by instructions until ARM, and
//     the guest's time is that of the turns (clock.hpp).
//  P4 Refusal. If the plugin cannot be sure of something, it ends QEMU at once with status 98 and
//     writes the reason to the output; a table that might be wrong is worth nothing.
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "locality/clock.hpp"
#include "locality/config.hpp"
#include "locality/core.hpp"
#include "locality/lockstep.hpp"
#include "locality/memory.hpp"
#include "locality/noise.hpp"
#include "locality/qemu_api.hpp"
#include "locality/qemu_private.hpp"
#include "locality/ram.hpp"
#include "locality/report.hpp"

namespace vicino::lab {
namespace {

constexpr int kApiVersion = 1;
constexpr int kRefused = 98;  // QEMU's exit status then

// lab/mark.h
constexpr unsigned kStart = 1, kStop = 2, kArm = 3, kRegion = 0x80;

// What QEMU's main thread reads (C4); not 0, which QEMU itself says before it starts.
constexpr std::uint64_t kMainThreadPs = 1'000'000;

// A block's callback gets the number of instructions, with this bit if the block is user code.
constexpr std::uintptr_t kUserBlock = 1u << 16;

class Plugin {
 public:
  explicit Plugin(const Config& config);

  // Makes the model's time the guest's.
  void take_clock();
  void translate(qemu_plugin_tb* block);
  void finish();
  [[noreturn]] void refuse(const std::string& reason);

 private:
  static void on_block(unsigned cpu, void* block);
  static void on_mark(unsigned cpu, void* code);
  static void on_pause(unsigned cpu, void*);
  static void on_access(unsigned cpu, qemu_plugin_meminfo_t info, std::uint64_t address,
                        void* locked);

  void watch(qemu_plugin_insn* insn);
  bool turn(int cpu, std::uint64_t insns, bool user);
  void count_block(int cpu, std::uint64_t insns, bool user);
  void run_timers();
  std::uint64_t read_clock();
  bool idle(void* cpu);
  void mark(unsigned code);
  void arm();
  void start();
  void stop(bool by_mark);
  void stall(int cpu, std::uint64_t cycles);
  bool on_cpus() const { return thread_ == std::this_thread::get_id(); }
  void touch(int cpu, qemu_plugin_meminfo_t info, std::uint64_t address, bool locked);
  void check_thread();

  Config config_;
  QemuPrivate qemu_;
  Ram ram_;
  Memory memory_;
  Lockstep lockstep_;
  Clock clock_;
  Noise noise_;
  Report report_;
  std::vector<Counters> counters_;
  std::vector<Core> cores_;
  std::vector<std::uint64_t> insns_;  // of each CPU since the boot
  std::vector<std::uint64_t> cpi_;    // hundredths of a cycle for an instruction (R1, R15)
  std::vector<std::uint64_t> rest_;   // hundredths of a cycle (R1)
  std::vector<bool> in_user_;         // the CPU's last block was user code
  std::optional<std::thread::id> thread_;
  void* last_cpu_ = nullptr;
  bool started_ = false;   // a START was seen: accesses are watched
  bool armed_ = false;     // lockstep
  bool counting_ = false;  // inside a region
  int region_ = 0;
  std::uint64_t began_ = 0;     // the foremost clock at START
  bool between_turns_ = false;  // no CPU's clock is the time: timers run
};

Plugin* plugin;  // the callbacks of QEMU have no other way to it

// Runs a callback; an exception must not reach QEMU's C frames.
template <typename F>
void guarded(F callback) {
  try {
    callback();
  } catch (const std::exception& error) {
    plugin->refuse(error.what());
  }
}

bool is_user(const qemu_plugin_tb* block) { return qemu_plugin_tb_vaddr(block) >> 63 == 0; }

bool is_pause(const qemu_plugin_insn* insn) {
  return qemu_plugin_insn_size(insn) == 2 &&
         std::memcmp(qemu_plugin_insn_data(insn), "\xf3\x90", 2) == 0;
}

// Whether an instruction has a lock prefix, or exchanges with memory, which locks by itself.
bool is_locked(const qemu_plugin_insn* insn) {
  const auto* byte = static_cast<const unsigned char*>(qemu_plugin_insn_data(insn));
  const auto* const end = byte + qemu_plugin_insn_size(insn);
  for (; byte < end; ++byte) {
    if (*byte == 0xf0) return true;
    if (*byte == 0x86 || *byte == 0x87) return true;
    const bool prefix = *byte == 0x66 || (*byte & 0xf0) == 0x40;  // operand size, REX
    if (!prefix) return false;
  }
  return false;
}

// What a load has brought, as far as it lies in one line (R12).
std::uint64_t value_at(const qemu_plugin_hwaddr* where) {
  const std::uintptr_t host = QemuPrivate::host_address(where);
  std::uint64_t value = 0;
  if (host % Parameters::kLineBytes <= Parameters::kLineBytes - sizeof value)
    std::memcpy(&value, reinterpret_cast<const void*>(host), sizeof value);
  return value;
}

// The code of a mark, or 0.
unsigned mark_of(const qemu_plugin_insn* insn) {
  if (qemu_plugin_insn_size(insn) != 7) return 0;
  const auto* bytes = static_cast<const unsigned char*>(qemu_plugin_insn_data(insn));
  const bool long_nop = std::memcmp(bytes, "\x0f\x1f\x80", 3) == 0;
  return long_nop && std::memcmp(bytes + 4, "BAL", 3) == 0 ? bytes[3] : 0;
}

Plugin::Plugin(const Config& config)
    : config_(config),
      memory_(config.machine, config.parameters),
      lockstep_(static_cast<int>(config.machine.cpus.size()), config.parameters.boot_quantum),
      clock_(config.parameters.boot_ns, config.parameters.mhz),
      noise_(static_cast<int>(config.machine.cpus.size()), config.parameters.cycles(config.parameters.noise_every),
             config.parameters.cycles(config.parameters.noise_length), config.parameters.quantum),
      report_(config.output, config.machine.cpus),
      counters_(config.machine.cpus.size()),
      cores_(config.machine.cpus.size(), Core(config.parameters)),
      insns_(config.machine.cpus.size()),
      cpi_(config.machine.cpus.size(), config.parameters.cpi),
      rest_(config.machine.cpus.size()),
      in_user_(config.machine.cpus.size()) {
  cpi_.back() += cpi_.back() * config.parameters.slow_percent / 100;
  if (!report_.good()) throw std::runtime_error("cannot write '" + config.output + "'");
}

// The functions that QEMU asks have no argument to find the plugin by.
void Plugin::take_clock() {
  if (!config_.clock) return;
  qemu_.set_clock(
      {[] { return static_cast<std::int64_t>(Clock::nanoseconds(plugin->read_clock())); },
       [] { return static_cast<std::int64_t>(plugin->clock_.ticks(plugin->read_clock())); },
       [](void* cpu) { return plugin->idle(cpu); }});
}

void Plugin::refuse(const std::string& reason) {
  report_.refuse(reason);
  std::fprintf(stderr, "locality: refused: %s\n", reason.c_str());
  _exit(kRefused);
}

// P1. The first call also does what needs QEMU's machine to be complete.
void Plugin::check_thread() {
  const auto self = std::this_thread::get_id();
  if (!thread_) {
    ram_.find(qemu_, config_.machine);
    last_cpu_ = qemu_.cpu(static_cast<int>(config_.machine.cpus.size()) - 1);
    thread_ = self;
  }
  if (*thread_ != self) throw std::runtime_error("QEMU must run with -accel tcg,thread=single");
}

void Plugin::translate(qemu_plugin_tb* block) {
  check_thread();
  const std::size_t insns = qemu_plugin_tb_n_insns(block);
  const bool user = is_user(block);
  if (armed_ || config_.clock)
    qemu_plugin_register_vcpu_tb_exec_cb(block, on_block, QEMU_PLUGIN_CB_NO_REGS,
                                         reinterpret_cast<void*>(insns | (user ? kUserBlock : 0)));
  if (!user) return;
  for (std::size_t i = 0; i < insns; ++i) watch(qemu_plugin_tb_get_insn(block, i));
}

void Plugin::watch(qemu_plugin_insn* insn) {
  if (const unsigned code = mark_of(insn); code != 0) {
    qemu_plugin_register_vcpu_insn_exec_cb(insn, on_mark, QEMU_PLUGIN_CB_NO_REGS,
                                           reinterpret_cast<void*>(std::uintptr_t{code}));
    return;
  }
  if (armed_ && is_pause(insn))
    qemu_plugin_register_vcpu_insn_exec_cb(insn, on_pause, QEMU_PLUGIN_CB_NO_REGS, nullptr);
  // One callback for loads and stores: QEMU 7.2 takes the direction that is asked for the wrong
  // way.
  if (started_)
    qemu_plugin_register_vcpu_mem_cb(insn, on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
                                     is_locked(insn) ? insn : nullptr);
}

void Plugin::on_block(unsigned cpu, void* block) {
  const auto word = reinterpret_cast<std::uintptr_t>(block);
  bool runs = false;
  guarded([&] {
    runs = plugin->turn(static_cast<int>(cpu), word & (kUserBlock - 1), (word & kUserBlock) != 0);
  });
  if (runs) return;
  plugin->qemu_.give_up_turn(reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
  plugin->refuse("this QEMU calls the plugin from elsewhere than translated code");
}

// Returns whether the CPU may run the block in this turn.
bool Plugin::turn(int cpu, std::uint64_t insns, bool user) {
  if (const std::uint64_t moved = lockstep_.enter(cpu); moved > 0) {
    if (armed_) memory_.drain(moved);
    if (config_.clock) run_timers();
  }
  if (lockstep_.must_wait(cpu)) return false;
  if (armed_)
    count_block(cpu, insns, user);
  else
    lockstep_.advance(cpu, insns);
  if (lockstep_.turn_over(cpu)) qemu_.end_turn();
  return true;
}

void Plugin::count_block(int cpu, std::uint64_t insns, bool user) {
  if (in_user_[cpu] && !user) memory_.filter().forget_all(cpu);  // F4, filter.hpp
  in_user_[cpu] = user;
  insns_[cpu] += insns;
  const std::uint64_t hundredths = insns * cpi_[cpu] + rest_[cpu];
  rest_[cpu] = hundredths % 100;
  lockstep_.advance(cpu, hundredths / 100);
  stall(cpu, noise_.stops(cpu, lockstep_.now(cpu)));
  if (!counting_) return;
  Counters& count = counters_[cpu];
  count[user ? Counter::kInsns : Counter::kKernelInsns] += insns;
  count[Counter::kCycles] += hundredths / 100;
  stall(cpu, cores_[cpu].execute(lockstep_.now(cpu), insns_[cpu]));
}

// C4, clock.hpp
void Plugin::run_timers() {
  between_turns_ = true;
  if (qemu_.timer_due_ns() == 0) qemu_.run_timers();
  between_turns_ = false;
}

// C2 and C4
std::uint64_t Plugin::read_clock() {
  if (!on_cpus()) return kMainThreadPs;
  const bool running = !between_turns_ && lockstep_.current() >= 0;
  return clock_.read_ps(running ? lockstep_.now(lockstep_.current()) : lockstep_.time());
}

// C5. QEMU asks for one halted CPU after the other, so when it asks for the last one all are halted.
bool Plugin::idle(void* cpu) {
  if (!on_cpus() || cpu != last_cpu_) return true;
  between_turns_ = true;
  const std::int64_t due = qemu_.timer_due_ns();
  if (due >= 0) {
    const std::uint64_t then = Clock::nanoseconds(read_clock()) + static_cast<std::uint64_t>(due);
    lockstep_.jump(clock_.cycles_at(then * 1000));
    qemu_.run_timers();
  }
  between_turns_ = false;
  return due < 0;
}

void Plugin::on_pause(unsigned cpu, void*) {
  plugin->stall(static_cast<int>(cpu), plugin->config_.parameters.lat_pause);
}

void Plugin::stall(int cpu, std::uint64_t cycles) {
  if (cycles == 0) return;
  lockstep_.advance(cpu, cycles);
  if (!counting_) return;
  counters_[cpu][Counter::kStallCycles] += cycles;
  counters_[cpu][Counter::kCycles] += cycles;
}

void Plugin::on_access(unsigned cpu, qemu_plugin_meminfo_t info, std::uint64_t address,
                       void* locked) {
  // An access of a user block to the kernel's half is not the program's: QEMU stores the frame of
  // an interrupt that ends the block.
  if (!plugin->counting_ || address >> 63 != 0) return;
  constexpr std::uint64_t kLine = Parameters::kLineBytes, kLargest = 16;
  const bool store = qemu_plugin_mem_is_store(info);
  ++plugin->counters_[cpu][store ? Counter::kStores : Counter::kLoads];
  plugin->touch(static_cast<int>(cpu), info, address, locked != nullptr);
  const std::uint64_t in_line = address % kLine;
  if (in_line > kLine - kLargest && in_line + (1ull << qemu_plugin_mem_size_shift(info)) > kLine)
    plugin->touch(static_cast<int>(cpu), info, address - in_line + kLine, locked != nullptr);
}

void Plugin::touch(int cpu, qemu_plugin_meminfo_t info, std::uint64_t address, bool locked) {
  const bool first_of_locked = locked && !qemu_plugin_mem_is_store(info);  // it loads, then stores
  const bool store = locked || qemu_plugin_mem_is_store(info);
  const std::uint64_t virtual_line = address >> kLineBits;
  if (memory_.filter().hit(cpu, virtual_line, store)) {
    if (first_of_locked) stall(cpu, cores_[cpu].locked_hit(lockstep_.now(cpu)));
    return;
  }
  guarded([&] {
    const qemu_plugin_hwaddr* where = qemu_plugin_get_hwaddr(info, address);
    const auto line = where && !qemu_plugin_hwaddr_is_io(where) ? ram_.line(where, memory_.lines())
                                                                : std::nullopt;
    if (!line) {
      ++counters_[cpu][Counter::kUnmapped];
      return;
    }
    const std::uint64_t now = lockstep_.now(cpu);
    const Answer answer = memory_.access(cpu, *line, store, now, counters_[cpu]);
    if (answer.latency > 0)
      stall(cpu, cores_[cpu].miss(now, insns_[cpu],
                                  {answer.latency, !store, answer.in_order, first_of_locked,
                                   virtual_line, address, store ? 0 : value_at(where)}));
    else if (first_of_locked)
      stall(cpu, cores_[cpu].locked_hit(now));
    memory_.filter().remember(cpu, virtual_line, store);
  });
}

void Plugin::on_mark(unsigned, void* code) {
  guarded([&] { plugin->mark(static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(code))); });
}

void Plugin::mark(unsigned code) {
  check_thread();
  if (code & kRegion) region_ = static_cast<int>(code & ~kRegion);
  if (code == kArm) arm();
  if (code == kStart) start();
  if (code == kStop && counting_) stop(true);
}

void Plugin::arm() {
  if (armed_) return;
  armed_ = true;
  lockstep_.set_quantum(config_.parameters.quantum);
  clock_.begin_model(lockstep_.time());
  noise_.begin(lockstep_.time());
  qemu_.translate_anew();
}

void Plugin::start() {
  arm();
  if (!started_) qemu_.translate_anew();
  started_ = true;
  counting_ = true;
  counters_.assign(counters_.size(), Counters());
  // The user code that ran since the last region was not followed, nor were its mappings.
  for (std::size_t cpu = 0; cpu < counters_.size(); ++cpu)
    memory_.filter().forget_all(static_cast<int>(cpu));
  began_ = lockstep_.latest();
}

void Plugin::stop(bool by_mark) {
  counting_ = false;
  report_.add({region_, by_mark, lockstep_.latest() - began_, counters_});
  if (!report_.good()) throw std::runtime_error("cannot write '" + config_.output + "'");
}

void Plugin::finish() {
  if (counting_) stop(false);
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read the configuration '" + path + "'");
  return {std::istreambuf_iterator<char>(file), {}};
}

void check_qemu(const qemu_info_t& info) {
  if (info.version.cur != kApiVersion)
    throw std::runtime_error("this QEMU's plugin interface is version " +
                             std::to_string(info.version.cur) +
                             "; accepted: " + std::to_string(kApiVersion));
  if (!info.system_emulation) throw std::runtime_error("only system emulation is accepted");
  if (info.target_name != std::string_view("x86_64"))
    throw std::runtime_error(std::string("the guest is ") + info.target_name +
                             "; accepted: x86_64");
}

void check_cpus(const qemu_info_t& info, const Machine& machine) {
  if (info.system.max_vcpus != static_cast<int>(machine.cpus.size()))
    throw std::runtime_error("QEMU's machine has " + std::to_string(info.system.max_vcpus) +
                             " CPUs, the configuration " + std::to_string(machine.cpus.size()));
}

std::string config_path(int argc, char** argv) {
  constexpr std::string_view kKey = "config=";
  if (argc == 1 && std::string_view(argv[0]).starts_with(kKey)) return argv[0] + kKey.size();
  throw std::runtime_error("options of this plugin: config=PATH, once");
}

// For errors before there is a Plugin: the reason goes to the output if the configuration names
// one.
[[noreturn]] void refuse_at_once(const std::string& text, const std::string& reason) {
  if (const std::string output = output_of(text); !output.empty())
    Report(output, {}).refuse(reason);
  std::fprintf(stderr, "locality: refused: %s\n", reason.c_str());
  _exit(kRefused);
}

}  // namespace
}  // namespace vicino::lab

#define VICINO_EXPORT extern "C" __attribute__((visibility("default")))

VICINO_EXPORT int qemu_plugin_version;
int qemu_plugin_version = vicino::lab::kApiVersion;

VICINO_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info, int argc,
                                      char** argv) {
  using namespace vicino::lab;
  std::string text;
  try {
    text = read_file(config_path(argc, argv));
    check_qemu(*info);
    const Config config = parse_config(text);
    check_cpus(*info, config.machine);
    plugin = new Plugin(config);  // lives as long as QEMU
  } catch (const std::exception& error) {
    refuse_at_once(text, error.what());
  }
  // QEMU has its type for clocks by the time it makes a CPU, and asks for no time before.
  qemu_plugin_register_vcpu_init_cb(id, [](qemu_plugin_id_t, unsigned cpu) {
    if (cpu == 0) guarded([] { plugin->take_clock(); });
  });
  qemu_plugin_register_vcpu_tb_trans_cb(id, [](qemu_plugin_id_t, qemu_plugin_tb* block) {
    guarded([&] { plugin->translate(block); });
  });
  qemu_plugin_register_atexit_cb(
      id, [](qemu_plugin_id_t, void*) { guarded([] { plugin->finish(); }); }, nullptr);
  return 0;
}
