from program import Program

PROGRAM = Program(
    about="FFTW: plans with all threads, forwards and back, in one to three dimensions",
    debian="libfftw3-dev libfftw3-double3 gcc-12",
    sizes={"side": (128, 32), "repeats": (10, 3)},
    files={"fft.c": """
#include <fftw3.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static void there_and_back(const char* name, int rank, const int* sides, int repeats) {
  int all = 1;
  for (int i = 0; i < rank; ++i) all *= sides[i];
  fftw_complex* field = fftw_malloc(sizeof(fftw_complex) * all);
  fftw_plan there = fftw_plan_dft(rank, sides, field, field, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_plan back = fftw_plan_dft(rank, sides, field, field, FFTW_BACKWARD, FFTW_ESTIMATE);
  srand(17);
  for (int i = 0; i < all; ++i) field[i][0] = rand() / (double)RAND_MAX, field[i][1] = 0;
  double spectrum = 0;
  for (int r = 0; r < repeats; ++r) {
    fftw_execute(there);
    if (r == 0)
      for (int i = 0; i < all; ++i) spectrum += fabs(field[i][0]) + fabs(field[i][1]);
    fftw_execute(back);
    for (int i = 0; i < all; ++i) field[i][0] /= all, field[i][1] /= all;
  }
  double sum = 0;
  for (int i = 0; i < all; ++i) sum += field[i][0] * (i % 13);
  printf("%s %.9e %.9e\\n", name, spectrum, sum);
}

int main(void) {
  fftw_init_threads();
  fftw_plan_with_nthreads(omp_get_max_threads());
  const int cube[] = {@side@, @side@, @side@}, line[] = {1 << 18}, small[] = {64, 64};
  there_and_back("cube", 3, cube, @repeats@);
  there_and_back("line", 1, line, @repeats@ * 2);
  there_and_back("small", 2, small, @repeats@ * 100);
}
"""},
    prepare="gcc-12 -O2 -fopenmp fft.c -o fft -lfftw3_omp -lfftw3 -lm",
    command="./fft",
    relative=1e-8,
    known=("libfftw3_omp",),
)
