// start.cpp: a tool is looked for and started (OMPT): in the program and what it is linked with, then in
// the libraries of OMP_TOOL_LIBRARIES. The first whose ompt_start_tool() gives functions, and whose
// initialize() agrees, is the tool.
//
// Several threads may come to their first event at once: one looks for the tool, and the others wait for
// it. The tool may itself call OpenMP as it starts; it is told nothing of that.
//
// Memory order: the release that ends the search (S1) pairs with the acquire of the threads that wait for it
// (S2): they see the tool's functions. The release that says that a tool watches (S3) pairs with the acquire of a
// thread that finds this said before its own first event, in is_on(): it sees what the tool has written while it
// started, also after it had named its functions, and Vertex::tell_order.
#include "event/start.hpp"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "base/file.hpp"
#include "base/no_signals_from_writes.hpp"
#include "base/say.hpp"
#include "base/uncancelled.hpp"
#include "config/settings.hpp"
#include "event/inquiry.hpp"
#include "event/useful.hpp"
#include "task/depend.hpp"
#include "topo/module.hpp"

namespace vicino::event {

using ompt::StartResult;
using ompt::StartTool;
namespace {

constexpr unsigned kOpenMPVersion = 202011;  // 5.1, as _OPENMP
constexpr char kRuntime[] = "Vicino " VICINO_VERSION;
constexpr int kInitialDevice = 0;  // of the host, where there is no other device

constinit StartResult* tool = nullptr;

enum Search : uint32_t { kNot, kUnderWay, kOver };
constinit plat::atomic<uint32_t> search{kNot};
thread_local constinit bool searches = false;

// Where OMP_TOOL_VERBOSE_INIT shows the search.
class Log {
 public:
  explicit Log(const std::string& where) {
    const auto is = [&where](const char* word) { return strcasecmp(where.c_str(), word) == 0; };
    if (where.empty()) return;
    if (is("stdout")) file_ = stdout;
    if (is("stderr")) file_ = stderr;
    if (file_ == nullptr) file_ = own_ = fopen(where.c_str(), "we");
    if (file_ == nullptr)
      say("OMP_TOOL_VERBOSE_INIT=%s: no such file can be written; accepted are disabled, stdout, "
          "stderr or a file",
          where.c_str());
  }
  ~Log() {
    if (file_ != nullptr) fflush(file_);
    if (own_ != nullptr) fclose(own_);
  }
  Log(const Log&) = delete;

  [[gnu::format(printf, 2, 3)]] void write(const char* format, ...) {
    if (file_ == nullptr) return;
    const NoSignalsFromWrites no_signals;
    va_list arguments;
    va_start(arguments, format);
    fputs("vicino: tools: ", file_);
    vfprintf(file_, format, arguments);
    fputc('\n', file_);
    fflush(file_);
    va_end(arguments);
  }

 private:
  FILE* file_ = nullptr;
  FILE* own_ = nullptr;
};

// What a tool may ask for: its end, or to ask.
ompt::InterfaceFunction look_up(const char* name) {
  if (strcmp(name, "ompt_finalize_tool") == 0)
    return reinterpret_cast<ompt::InterfaceFunction>(shut_down_tool);
  return lookup(name);
}

void forget_callbacks() noexcept {
  for (int event = 0; event < ompt::kEvents; ++event)
    ompt::set_callback(static_cast<ompt::Event>(event), nullptr);
}

// Starts the tool of this function. False if it does not want to be one.
bool start_tool(void* function, const char* place, Log& log) {
  StartResult* const found = reinterpret_cast<StartTool*>(function)(kOpenMPVersion, kRuntime);
  if (found == nullptr) {
    log.write("ompt_start_tool of %s declines", place);
    return false;
  }
  tool = found;
  if (found->initialize(look_up, kInitialDevice, &found->tool_data) == 0) {
    log.write("the tool in %s declines when it is initialised", place);
    tool = nullptr;
    forget_callbacks();  // its library may be unloaded
    return false;
  }
  log.write("the tool in %s has started", place);
  return true;
}

bool start_from_program(Log& log) {
  void* const function = dlsym(RTLD_DEFAULT, "ompt_start_tool");
  if (function == nullptr) {
    log.write("the program and its libraries have no ompt_start_tool");
    return false;
  }
  Dl_info where{};
  const bool known = dladdr(function, &where) != 0 && where.dli_fname != nullptr;
  return start_tool(function, known ? where.dli_fname : "the program", log);
}

bool start_from_library(const std::string& path, Log& log) {
  void* const library = dlopen(path.c_str(), RTLD_LAZY);
  if (library == nullptr) {
    log.write("%s cannot be loaded: %s", path.c_str(), dlerror());
    return false;
  }
  void* const function = dlsym(library, "ompt_start_tool");
  if (function == nullptr) log.write("%s has no ompt_start_tool", path.c_str());
  if (function != nullptr && start_tool(function, path.c_str(), log)) return true;
  dlclose(library);
  return false;
}

bool start_from_libraries(std::string_view paths, Log& log) {
  if (paths.empty()) log.write("OMP_TOOL_LIBRARIES names no library");
  while (!paths.empty()) {
    const std::string path(take_until(paths, ':'));
    if (!path.empty() && start_from_library(path, log)) return true;
  }
  return false;
}

// Vicino's own tool, which is told the file's name first.
bool start_trace(const std::string& file, Log& log) {
  using NameFile = void(const char* file);
  constexpr const char* kModule = "libvicino-trace.so";
  std::string why = "it is not there";
  for (const std::string& path : topo::module_paths(topo::own_folder(), kModule)) {
    if (access(path.c_str(), R_OK) != 0) continue;
    void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module == nullptr) {
      why = dlerror();
      continue;
    }
    reinterpret_cast<NameFile*>(dlsym(module, "vicino_trace_into"))(file.c_str());
    return start_tool(dlsym(module, "ompt_start_tool"), path.c_str(), log);
  }
  say("there is no trace: %s cannot be loaded: %s", kModule, why.c_str());
  return false;
}

bool find_tool_of_user(const config::Settings& settings) {
  Log log(settings.tool_verbose_init);
  if (!settings.trace.empty() && start_trace(settings.trace, log)) return true;
  if (!settings.tool) {
    log.write("OMP_TOOL=disabled: no tool is looked for");
    return false;
  }
  if (start_from_program(log) || start_from_libraries(settings.tool_libraries, log)) return true;
  log.write("no tool watches this program");
  return false;
}

// What counts for a report watches where nothing else does.
bool find_tool() {
  const config::Settings& settings = config::settings();
  if (find_tool_of_user(settings)) return true;
  if (settings.report.empty()) return false;
  static StartResult counting{nullptr, [](ompt::Data*) { end_counting(); }, {}};
  tool = &counting;
  begin_counting();
  return true;
}

// `second` waits for `first`. Not told where tasks of an inoutset or mutexinoutset come in between.
void tell_order(const task::Vertex& first, const task::Vertex& second) noexcept {
  if (first.record != nullptr && second.record != nullptr && ompt::has_tool())
    ompt::tell(ompt::Event::kTaskDependence, &first.record->data, &second.record->data);
}

void search_once() noexcept {
  const Uncancelled uncancelled;
  searches = true;
  const bool found = find_tool();
  searches = false;
  if (found) task::Vertex::tell_order = tell_order;
  ompt::had_tool.store(found, std::memory_order_relaxed);
  ompt::watch.store(found ? ompt::kOn : ompt::kOff, std::memory_order_release);  // S3
  search.store(kOver, std::memory_order_release);                                // S1
  plat::wake(search);
}

}  // namespace

bool start() noexcept {
  if (searches) return false;
  uint32_t seen = kNot;
  if (search.compare_exchange_strong(seen, kUnderWay, std::memory_order_acquire))  // S2
    search_once();
  while ((seen = search.load(std::memory_order_acquire)) == kUnderWay)  // S2
    plat::sleep_on(search, seen);
  return ompt::has_tool();
}

void forget_search() noexcept {
  if (search.load(std::memory_order_relaxed) != kUnderWay || searches) return;
  search.store(kOver, std::memory_order_relaxed);
  ompt::watch.store(ompt::kOff, std::memory_order_relaxed);
}

void shut_down_tool() noexcept {
  if (!ompt::has_tool()) return;
  if (end_threads != nullptr) end_threads();
  ompt::watch.store(ompt::kOff, std::memory_order_relaxed);
  forget_callbacks();
  tool->finalize(&tool->tool_data);
}

}  // namespace vicino::event
