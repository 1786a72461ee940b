// Prints by how many bytes the C library's memory in use has grown while threads came and went that led a region with
// tasks in an order.
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kFirst = 50, kThreads = 1050, kTasks = 8 };

static void* lead(void* unused) {
  int data[2] = {0, 0};
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < kTasks; ++i) {
#pragma omp task depend(inout : data[i % 2])
    ++data[i % 2];
  }
  return data[0] + data[1] == kTasks ? unused : NULL;
}

int main(int count, char** words) {
  size_t before = 0;
  for (int i = 0; i < kThreads; ++i) {
    if (i == kFirst) before = mallinfo2().uordblks;
    pthread_t one;
    void* right = NULL;
    if (pthread_create(&one, NULL, lead, words) != 0) return 2;
    pthread_join(one, &right);
    if (right == NULL) return 1;
  }
  printf("%ld\n", (long)(mallinfo2().uordblks - before));
  return count != 1;
}
