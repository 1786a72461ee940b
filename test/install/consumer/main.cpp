// A user's program, with OpenMP pragmas and its compiler's omp.h. It prints what install_test.py
// checks: an answer, the versions, and the OpenMP runtimes that are mapped.
#include <omp.h>
#include <vicino/vicino.h>

#include <fstream>
#include <iostream>
#include <set>
#include <string>

extern "C" const char* version_of_headers();
extern "C" const char* version_of_library();
extern "C" long sum_in_c();
long sum_in_cpp();

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
constexpr char kParts[] =
    TEXT(VICINO_VERSION_MAJOR) "." TEXT(VICINO_VERSION_MINOR) "." TEXT(VICINO_VERSION_PATCH);

std::set<std::string> runtimes() {
  std::set<std::string> found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::string name = line.substr(line.rfind('/') + 1);
    for (const char* prefix : {"libvicino", "libgomp", "libomp", "libiomp"})
      if (name.rfind(prefix, 0) == 0) found.insert(name);
  }
  return found;
}

int main() {
  long sum = 0;
  int team = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  {
#pragma omp single
    team = omp_get_num_threads();
#pragma omp for schedule(dynamic, 7)
    for (int i = 0; i < 1000; ++i) sum += i;
  }
  std::cout << "loops " << sum_in_c() << ' ' << sum_in_cpp() << '\n';
  std::cout << "sum " << sum << "\nteam " << team << "\nheaders " << version_of_headers()
            << "\nlibrary " << version_of_library() << "\nparts " << kParts << "\nruntimes";
  for (const std::string& name : runtimes()) std::cout << ' ' << name;
  std::cout << '\n';
}
