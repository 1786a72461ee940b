// Loops that may count on the same static distribution: none of a pair is converted.
void unseen();
static void barrier() {
#pragma omp barrier
}
static void later(double* a, int n) {
#pragma omp for  // refused: nowait loop at line 64
  for (int i = 0; i < n; ++i) a[i] += i;
}

void pair(double* a, int n) {
#pragma omp parallel
  {
#pragma omp for nowait  // refused: loop at line 16
    for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp for  // refused: nowait loop at line 14
    for (int i = 0; i < n; ++i) a[i] += 1;
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] += 2;
#pragma omp for nowait  // refused (taskloop): nowait
    for (int i = 0; i < n; ++i) a[i] += 3;
  }
#pragma omp parallel for
  for (int i = 0; i < n; ++i) a[i] += 4;
}

void parted(double* a, int n) {
#pragma omp parallel
  {
#pragma omp for nowait  // refused (taskloop): nowait
    for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp barrier
#pragma omp for nowait  // refused (taskloop): nowait
    for (int i = 0; i < n; ++i) a[i] += 1;
#pragma omp single
    a[0] = 1;
#pragma omp for nowait  // refused (taskloop): nowait
    for (int i = 0; i < n; ++i) a[i] += 2;
    barrier();
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] += 3;
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp for
    for (int i = 0; i < n; ++i) a[0] = i;
  }
}

void explicitly(double* a, int n) {
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp single nowait
    a[0] = 1;
#pragma omp for  // refused: nowait loop at line 52
    for (int i = 0; i < n; ++i) a[i] += 1;
  }
}

void through_calls(double* a, int n) {
#pragma omp parallel
  {
#pragma omp for nowait  // refused: loop at line 7
    for (int i = 0; i < n; ++i) a[i] = i;
    later(a, n);
#pragma omp for nowait  // refused: 'unseen'
    for (int i = 0; i < n; ++i) a[i] = i;
    unseen();
  }
}

void orphan(double* a, int n) {
#pragma omp for nowait  // refused: the function ends
  for (int i = 0; i < n; ++i) a[i] = i;
}

void caller(double* a, int n) {
#pragma omp parallel
  {
    orphan(a, n);
#pragma omp for  // refused: nowait loop at line 74
    for (int i = 0; i < n; ++i) a[i] += 1;
  }
}

void ways(double* a, int n) {
#pragma omp parallel
  {
#pragma omp for nowait  // refused: loop at line 95
    for (int i = 0; i < n; ++i) a[i] = i;
    if (n > 3) {
#pragma omp barrier
    }
#pragma omp for  // refused: nowait loop at line 90
    for (int i = 0; i < n; ++i) a[i] += 1;
#pragma omp for nowait  // refused (taskloop): nowait
    for (int i = 0; i < n; ++i) a[i] = i;
    if (n > 3) {
#pragma omp barrier
    } else {
#pragma omp barrier
    }
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] += 1;
    for (int t = 0; t < 3; ++t) {
#pragma omp for nowait  // refused: loop at line 107
      for (int i = 0; i < n; ++i) a[i] += 1;
    }
#pragma omp barrier
    while (n > 5) {
#pragma omp for nowait  // refused: loop at line 112
      for (int i = 0; i < n; ++i) a[i] += 1;
      if (a[0] > 3) break;
#pragma omp barrier
    }
#pragma omp for  // refused: nowait loop at line 112
    for (int i = 0; i < n; ++i) a[i] += 1;
    switch (n) {
      case 1:
#pragma omp for nowait  // refused (taskloop): nowait
        for (int i = 0; i < n; ++i) a[i] += 1;
        break;
      default:
#pragma omp for
        for (int i = 0; i < n; ++i) a[i] += 1;
    }
  }
}

void jumps(double* a, int n) {
#pragma omp parallel
  {
  again:
#pragma omp for  // refused: nowait loop at line 137
    for (int i = 0; i < n; ++i) a[i] += 1;
#pragma omp for nowait  // refused: loop at line 135
    for (int i = 0; i < n; ++i) a[i] += 1;
    if (a[0] < 7) goto again;
#pragma omp barrier
  }
}

void more_jumps(double* a, int n) {
#pragma omp parallel
  {
#pragma omp for nowait  // refused: line 152
    for (int i = 0; i < n; ++i) a[i] += 1;
    if (a[0] < 7) goto behind;
#pragma omp barrier
  behind:
#pragma omp for  // refused: line 147
    for (int i = 0; i < n; ++i) a[i] += 1;
    for (int t = 0; t < n; ++t) {
      switch (t) {
        case 0:
#pragma omp for nowait  // refused: line 157
          for (int i = 0; i < n; ++i) a[i] += 1;
          continue;
        default:
          break;
      }
#pragma omp barrier
    }
  }
}

void recursive(double* a, int n) {
#pragma omp for nowait  // refused: 'recursive' calls itself
  for (int i = 0; i < n; ++i) a[i] += 1;
  if (n > 1) recursive(a, n - 1);
#pragma omp barrier
}

void by_pointer(double* a, int n, void (*call)(double*, int)) {
#pragma omp parallel
  {
#pragma omp for nowait  // refused: 'call'
    for (int i = 0; i < n; ++i) a[i] += 1;
    call(a, n);
#pragma omp barrier
#pragma omp for nowait  // refused (taskloop): nowait
    for (int i = 0; i < n; ++i) a[i] += 1;
#pragma omp single nowait
    unseen();
#pragma omp barrier
    call(a, n);
#pragma omp for nowait  // refused (taskloop): nowait
    for (int i = 0; i < n; ++i) a[i] += 1;
#pragma omp parallel
    {
#pragma omp for
      for (int i = 0; i < n; ++i) a[i] += 1;
    }
  }
}

void choices(double* a, int n) {
#pragma omp parallel
  {
#pragma omp for nowait  // refused: line 209
    for (int i = 0; i < n; ++i) a[i] += 1;
    switch (n) {
      case 1:
        ++a[0];
#pragma omp barrier
        break;
      default:
#pragma omp for  // refused: line 201
        for (int i = 0; i < n; ++i) a[i] += 1;
    }
  }
}
