#!/usr/bin/env python3
"""archer_test.py LIBRARY COMPILER...: LLVM's Archer, a tool that we have not written, knows from OMPT what orders a program.

ThreadSanitizer does not see into the runtime. Without Archer it takes correct programs for racy ones; with it, it
reports the races of the program and nothing else. gcc's ThreadSanitizer has the annotations that Archer makes,
too, so it also works for gcc's programs. A compiler without the library of its sanitizer is left out.
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import build

ARCHER = Path("/usr/lib/llvm-19/lib/libarcher.so")
SKIP = 77

# Each part is correct as it stands; with -DRACY it lacks what orders it.
PROGRAM = r"""
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#ifdef RACY
#define ORDER(directive)
#else
#define TEXT(text) _Pragma(#text)
#define ORDER(directive) TEXT(omp directive)
#endif
enum { kThreads = 3, kSize = 300 };
static int data[kSize], sum;

// Archer sees no race between tasks of one thread. So in the racy program the first tasks wait until another
// thread has begun one, too; relaxed, because this must not order them.
static void work(void) {
#ifdef RACY
  static int begun;
  __atomic_fetch_add(&begun, 1, __ATOMIC_RELAXED);
  while (__atomic_load_n(&begun, __ATOMIC_RELAXED) < 2) usleep(100);
#endif
}

static void barrier(void) {
#pragma omp parallel num_threads(kThreads)
  {
    data[omp_get_thread_num()] = 1;
    ORDER(barrier)
    int next = (omp_get_thread_num() + 1) % kThreads;
    if (data[next] > 5) data[next] = 0;
    ORDER(barrier)
    data[omp_get_thread_num()] += 1;
  }
}

static void critical(void) {
#pragma omp parallel num_threads(kThreads)
  for (int i = 0; i < 100; ++i) {
    ORDER(critical)
    ++sum;
  }
}

static void lock(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(kThreads)
  for (int i = 0; i < 100; ++i) {
#ifndef RACY
    omp_set_lock(&lock);
#endif
    ++sum;
#ifndef RACY
    omp_unset_lock(&lock);
#endif
  }
  omp_destroy_lock(&lock);
}

static void loop(void) {
#pragma omp parallel num_threads(kThreads)
  for (int round = 0; round < 20; ++round) {
#ifdef RACY
#pragma omp for schedule(dynamic, 7) nowait
#else
#pragma omp for schedule(dynamic, 7)
#endif
    for (int i = 0; i < kSize; ++i) data[i] += 1;
  }
}

static void task(void) {
#pragma omp parallel num_threads(kThreads)
#pragma omp single
  {
    for (int i = 0; i < 50; ++i)
#ifdef RACY
#pragma omp task
#else
#pragma omp task depend(inout : sum)
#endif
    {
      work();
      ++sum;
    }
  }
}

static void taskwait(void) {
#pragma omp parallel num_threads(kThreads)
#pragma omp single
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 10; ++i) {
#pragma omp task firstprivate(i)
      {
        work();
        ++data[i];
      }
    }
    ORDER(taskwait)
    for (int i = 0; i < 10; ++i) ++data[i];
#pragma omp taskwait
  }
}

int main(int argc, char** argv) {
  void (*const parts[])(void) = {barrier, critical, lock, loop, task, taskwait};
  const char* const names[] = {"barrier", "critical", "lock", "loop", "task", "taskwait"};
  for (int i = 0; i < 6; ++i)
    if (strcmp(argv[1], names[i]) == 0) parts[i]();
  return 0;
}
"""
PARTS = ("barrier", "critical", "lock", "loop", "task", "taskwait")
RACE = "WARNING: ThreadSanitizer: data race"


def runs(library: Path, program: Path, part: str, archer: bool) -> subprocess.CompletedProcess:
    tool = {"OMP_TOOL_LIBRARIES": str(ARCHER)} if archer else {"OMP_TOOL": "disabled"}
    return build.execute(library, ["setarch", os.uname().machine, "-R", program, part],
                         TSAN_OPTIONS="ignore_noninstrumented_modules=1 exitcode=0", **tool)


def has_sanitizer(compiler: str, folder: Path) -> bool:
    (folder / "empty.c").write_text("int main(void) { return 0; }")
    return subprocess.run([compiler, "-fsanitize=thread", folder / "empty.c", "-o", folder / "empty"],
                          capture_output=True).returncode == 0


def wrong_with(library: Path, compiler: str, folder: Path) -> list[str]:
    flags = ["-fsanitize=thread", "-Wno-unused-function"]
    correct = build.program(compiler, folder / "program.c", folder / "correct", *flags)
    racy = build.program(compiler, folder / "program.c", folder / "racy", *flags, "-DRACY")
    found, blind = [], 0
    for part in PARTS:
        ended = runs(library, correct, part, True)
        if ended.returncode != 0 or RACE in ended.stderr:
            found.append(f"{compiler}, {part}: Archer reports a race that is none:\n{ended.stderr[:3000]}")
        ended = runs(library, racy, part, True)
        if RACE not in ended.stderr:
            found.append(f"{compiler}, {part}: Archer does not report the race; status {ended.returncode}, "
                         f"{ended.stderr!r}")
        blind += RACE in runs(library, correct, part, False).stderr
    if blind == 0:
        found.append(f"{compiler}: ThreadSanitizer alone finds the correct programs correct: this proves nothing")
    return found


def main() -> int:
    library = Path(sys.argv[1]).absolute()
    found = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "program.c").write_text(PROGRAM)
        compilers = [compiler for compiler in sys.argv[2:] if has_sanitizer(compiler, folder)]
        if not ARCHER.is_file() or not compilers:
            print(f"left out: {ARCHER} is not installed, or no compiler has ThreadSanitizer")
            return SKIP
        for compiler in compilers:
            found += wrong_with(library, compiler, folder)
    print("\n".join(found) or f"{len(PARTS)} races found by each of {compilers}, and no others")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
