// A C++ program; a template and a lambda are among its call sites.
#include <mpi.h>

#include <vector>

template <class Number>
[[gnu::noinline]] void exchange(std::vector<Number>& numbers, MPI_Datatype type) {
  MPI_Bcast(numbers.data(), static_cast<int>(numbers.size()), type, 0, MPI_COMM_WORLD);
  asm volatile("");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::vector<double> doubles(100);
  std::vector<int> ints(10);
  for (int i = 0; i < 4; ++i) exchange(doubles, MPI_DOUBLE);
  exchange(ints, MPI_INT);
  MPI_Finalize();
}
