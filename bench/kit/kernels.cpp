// kernels.cpp: all kernels of a suite in one program, whose first argument names one of them.
//
//     loops spmv --input power --repeat 5
//
// Why one    A package that brought a program for each kernel would be three times as large.
// How        KERNELS(X) is X(name) for each; the build gives each kernel's main() the name name_main.
#include <cstdio>
#include <cstring>

#define DECLARE(name) int name##_main(int argc, char** argv);
KERNELS(DECLARE)

namespace {

struct Kernel {
  const char* name;
  int (*main)(int argc, char** argv);
};

#define ROW(name) {#name, name##_main},
constexpr Kernel kKernels[] = {KERNELS(ROW)};

}  // namespace

int main(int argc, char** argv) {
  for (const Kernel& kernel : kKernels)
    if (argc > 1 && std::strcmp(argv[1], kernel.name) == 0) return kernel.main(argc - 1, argv + 1);
  std::fprintf(stderr, "'%s' is not a kernel; accepted:", argc > 1 ? argv[1] : "");
  for (const Kernel& kernel : kKernels) std::fprintf(stderr, " %s", kernel.name);
  std::fprintf(stderr, "\n");
  return 2;
}
