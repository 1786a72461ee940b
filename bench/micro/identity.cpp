#include "identity.hpp"

#include <dlfcn.h>
#include <omp.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace bench {
namespace {

namespace fs = std::filesystem;

#ifdef __clang__
constexpr char kCompiler[] = "clang " __clang_version__;
constexpr char kEntryPoint[] = "__kmpc_fork_call";
#else
constexpr char kCompiler[] = "gcc " __VERSION__;
constexpr char kEntryPoint[] = "GOMP_parallel";
#endif

bool is_runtime(const std::string& file) {
  for (const char* name : {"libgomp", "libomp.", "libiomp", "libvicino."})
    if (file.starts_with(name)) return true;
  return false;
}

std::string file_of(const char* symbol) {
  Dl_info info;
  void* address = dlsym(RTLD_DEFAULT, symbol);
  if (address == nullptr || dladdr(address, &info) == 0) return {};
  return fs::canonical(info.dli_fname).string();
}

std::set<std::string> mapped_runtimes() {
  std::set<std::string> found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const auto slash = line.find('/');
    if (slash == std::string::npos) continue;
    const fs::path file = line.substr(slash);
    if (is_runtime(file.filename().string())) found.insert(fs::canonical(file).string());
  }
  return found;
}

[[noreturn]] void refuse(const std::string& why) {
  std::fprintf(stderr, "refused: %s\n", why.c_str());
  std::exit(kWrongRuntime);
}

// The folder that vicino run puts first has a hard link to the library.
void check(const std::string& expected, const std::string& entry) {
  if (entry.empty() || !fs::equivalent(entry, expected))
    refuse(std::string(kEntryPoint) + " is in '" + entry + "', not in '" + expected + "'");
  for (const std::string& other : mapped_runtimes())
    if (!fs::equivalent(other, expected)) refuse("a second runtime is loaded: " + other);
}

}  // namespace

bool by_gcc_on_libomp() {
#ifdef __clang__
  return false;
#else
  return dlsym(RTLD_DEFAULT, "kmp_get_blocktime") != nullptr &&
         dlsym(RTLD_DEFAULT, "vicino_version") == nullptr;
#endif
}

int team_size() {
  int size = 0;
#pragma omp parallel
  {
#pragma omp single
    size = omp_get_num_threads();
  }
  return size;
}

void identify(const char* expected, int threads) {
  const std::string entry = file_of(kEntryPoint);
  if (expected != nullptr) check(fs::canonical(expected).string(), entry);
  std::printf(
      "{\"kind\":\"process\",\"compiler\":\"%s\",\"runtime\":\"%s\",\"threads\":%d,"
      "\"openmp\":%d}\n",
      kCompiler, entry.c_str(), threads, _OPENMP);
}

}  // namespace bench
