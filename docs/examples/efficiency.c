/* Two threads, of which one has nearly all the work; then a part that only one thread does. */
static double sum;

static double work(int millions) {
  double result = 0;
  for (int i = 1; i <= millions * 1000000; ++i) result += 1.0 / i;
  return result;
}

int main(void) {
  double total = 0;
#pragma omp parallel for reduction(+ : total)
  for (int i = 0; i < 2; ++i) total += work(i == 0 ? 100 : 5);
  sum = total + work(50);
  return sum < 0;
}
