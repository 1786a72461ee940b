#include "identity.hpp"

#include <dlfcn.h>
#include <limits.h>
#include <omp.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace bench {
namespace {

#ifdef __clang__
constexpr char kCompiler[] = "clang " __clang_version__;
constexpr char kEntryPoint[] = "__kmpc_fork_call";
#else
constexpr char kCompiler[] = "gcc " __VERSION__;
constexpr char kEntryPoint[] = "GOMP_parallel";
#endif

bool is_runtime(const char* path) {
  const char* slash = std::strrchr(path, '/');
  const char* file = slash == nullptr ? path : slash + 1;
  for (const char* name : {"libgomp", "libomp.", "libiomp", "libvicino."})
    if (std::strncmp(file, name, std::strlen(name)) == 0) return true;
  return false;
}

// Without links; as it is if there is no such file.
std::string canonical(const char* path) {
  char resolved[PATH_MAX];
  return realpath(path, resolved) != nullptr ? resolved : path;
}

bool is_same_file(const std::string& a, const std::string& b) {
  struct stat one, other;
  return stat(a.c_str(), &one) == 0 && stat(b.c_str(), &other) == 0 && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
}

std::string file_of(const char* symbol) {
  Dl_info info;
  void* address = dlsym(RTLD_DEFAULT, symbol);
  if (address == nullptr || dladdr(address, &info) == 0) return {};
  return canonical(info.dli_fname);
}

std::vector<std::string> mapped_runtimes() {
  std::vector<std::string> found;
  std::FILE* maps = std::fopen("/proc/self/maps", "re");
  if (maps == nullptr) return found;
  char line[PATH_MAX + 128];
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    line[std::strcspn(line, "\n")] = '\0';
    const char* path = std::strchr(line, '/');
    if (path == nullptr || !is_runtime(path)) continue;
    std::string file = canonical(path);
    if (found.empty() || found.back() != file) found.push_back(std::move(file));
  }
  std::fclose(maps);
  return found;
}

[[noreturn]] void refuse(const std::string& why) {
  std::fprintf(stderr, "refused: %s\n", why.c_str());
  std::exit(kWrongRuntime);
}

// The folder that vicino run puts first has a hard link to the library.
void check(const char* expected, const std::string& entry) {
  if (entry.empty() || !is_same_file(entry, expected))
    refuse(std::string(kEntryPoint) + " is in '" + entry + "', not in '" + expected + "'");
  for (const std::string& other : mapped_runtimes())
    if (!is_same_file(other, expected)) refuse("a second runtime is loaded: " + other);
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
  if (expected != nullptr) check(expected, entry);
  std::printf(
      "{\"kind\":\"process\",\"compiler\":\"%s\",\"runtime\":\"%s\",\"threads\":%d,"
      "\"openmp\":%d}\n",
      kCompiler, entry.c_str(), threads, _OPENMP);
}

}  // namespace bench
