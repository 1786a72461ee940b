// ndarray: what a Python program does with NumPy's arrays and a library whose loops are OpenMP's.
//
// Why    Such a program has no array in a variable of its own. An object has the address of its
//        elements; operations find their loop in a table and call it through a pointer, with the
//        addresses in an array. So a region captures the address of an array of addresses.
// Memory As NumPy has it: malloc, or calloc for zeros, which maps what is large; and a wish for
//        large pages from 4 MiB on. The interpreter's thread fills the arrays.
#include <sys/mman.h>

#include <string_view>

#include "program.hpp"

namespace {

struct Object {
  long references;
  const char* type;
  char* data;
  long shape[1], strides[1];
};

using Loop = void(char** arguments, const long* shape, const long* steps);

template <class Of>
void binary_loop(char** arguments, const long* shape, const long* steps, const Of& of) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < shape[0]; ++i) {
    const double a = *reinterpret_cast<double*>(arguments[0] + i * steps[0]);
    const double b = *reinterpret_cast<double*>(arguments[1] + i * steps[1]);
    *reinterpret_cast<double*>(arguments[2] + i * steps[2]) = of(a, b);
  }
}

void add_loop(char** arguments, const long* shape, const long* steps) {
  binary_loop(arguments, shape, steps, [](double a, double b) { return a + b; });
}
void multiply_loop(char** arguments, const long* shape, const long* steps) {
  binary_loop(arguments, shape, steps, [](double a, double b) { return a * b; });
}

struct Operation {
  std::string_view name;
  Loop* loop;
};
// Not constant, so that no compiler calls a loop without the table.
Operation operations[] = {{"add", add_loop}, {"multiply", multiply_loop}};

void call(std::string_view name, const Object& a, const Object& b, Object& out) {
  char* arguments[] = {a.data, b.data, out.data};
  const long steps[] = {a.strides[0], b.strides[0], out.strides[0]};
  for (const Operation& operation : operations)
    if (operation.name == name) return operation.loop(arguments, out.shape, steps);
}

Object* make(long n, bool zeros) {
  const size_t bytes = static_cast<size_t>(n) * sizeof(double);
  void* const data = zeros ? std::calloc(bytes, 1) : std::malloc(bytes);
  constexpr size_t kPage = 4096, kLarge = size_t{4} << 20;
  if (bytes >= kLarge) {
    const size_t over = reinterpret_cast<uintptr_t>(data) % kPage, skip = over ? kPage - over : 0;
    madvise(static_cast<char*>(data) + skip, bytes - skip, MADV_HUGEPAGE);
  }
  return new Object{1, "float64", static_cast<char*>(data), {n}, {sizeof(double)}};
}

class Kernel {
 public:
  static constexpr const char* kName = "ndarray";
  static constexpr long kSize = 4096;  // doubles in an array

  Kernel(long size, int threads)
      : n_(size * threads),
        x_(make(n_, false)),
        w_(make(n_, false)),
        t_(make(n_, true)),
        y_(make(n_, true)),
        half_(new Object{1, "float64", reinterpret_cast<char*>(&one_half_), {n_}, {0}}) {}
  ~Kernel() {
    for (Object* object : {x_, w_, t_, y_}) std::free(object->data), delete object;
    delete half_;
  }
  Kernel(const Kernel&) = delete;

  void fill(bool serial) {
    double *const x = elements(x_), *const w = elements(w_), *const t = elements(t_),
                  *const y = elements(y_);
    bench::fill(serial, n_, [=](long i) {
      x[i] = bench::uniform(static_cast<uint64_t>(i));
      w[i] = static_cast<double>(i % 1009);
      t[i] = 1;
      y[i] = 2;
    });
  }

  // y = 0.5 y + x w
  void step(long) {
    call("multiply", *x_, *w_, *t_);
    call("multiply", *y_, *half_, *y_);
    call("add", *y_, *t_, *y_);
  }

  uint64_t checksum() const { return bench::bits_of(elements(y_), n_); }

 private:
  static double* elements(const Object* object) { return reinterpret_cast<double*>(object->data); }

  long n_;
  double one_half_ = 0.5;
  Object *x_, *w_, *t_, *y_, *half_;
};

}  // namespace

int main(int argc, char** argv) { return bench::pages_main<Kernel>(argc, argv); }
