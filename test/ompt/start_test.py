#!/usr/bin/env python3
"""start_test.py LIBRARY COMPILER: where a tool is looked for, in which order, and what the report says."""
import sys
import tempfile
from pathlib import Path

import build

TOOL = r"""
#include <omp-tools.h>
#include <stdio.h>
#ifndef DECLINES
static void on_thread_begin(ompt_thread_t type, ompt_data_t* data) { printf(NAME " thread %d\n", (int)type); }
static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t* data) {
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  printf(NAME " begins %d\n", lookup("no_such_function") == NULL);
#ifndef SETS_NOTHING
  set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
#endif
  return WANTS;
}
static void finalize(ompt_data_t* data) { printf(NAME " ends\n"); }
#endif
#ifndef NOTHING
ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime) {
#ifdef DECLINES
  printf(NAME " declines\n");
  return NULL;
#else
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
#endif
}
#endif
"""
PROGRAM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
int main(void) {
  int (*control)(int, int, void*) = (int (*)(int, int, void*))dlsym(RTLD_DEFAULT, "omp_control_tool");
  printf("main\n");
#pragma omp parallel num_threads(1)
  printf("region %d\n", control(1, 0, NULL));
  return 0;
}
"""

# The tool ends while another thread leads a region, which then has its first inner region.
ENDS_EARLY = r"""
#include <omp-tools.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
static ompt_finalize_tool_t end_tool;
static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t* data) {
  end_tool = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
  return 1;
}
static void finalize(ompt_data_t* data) { printf("the tool ends\n"); }
ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
static int is_inside, is_over, threads;
static void await(int* flag) {
  while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE)) sched_yield();
}
static void* lead(void* unused) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp master
  {
    __atomic_store_n(&is_inside, 1, __ATOMIC_RELEASE);
    await(&is_over);
#pragma omp parallel num_threads(3) reduction(+ : threads)
    threads += 1;
  }
  return unused;
}
int main(void) {
#pragma omp parallel num_threads(2)
  { }
  pthread_t leader;
  pthread_create(&leader, NULL, lead, NULL);
  await(&is_inside);
  end_tool();
  __atomic_store_n(&is_over, 1, __ATOMIC_RELEASE);
  pthread_join(leader, NULL);
  printf("%d threads\n", threads);
  return 0;
}
"""


def told(name: str) -> str:
    """What a program says that is watched by this tool."""
    return f"main\n{name} begins 1\n{name} thread 1\nregion -1\n{name} ends\n"


ALONE = "main\nregion -2\n"


def main() -> int:
    library, compiler = Path(sys.argv[1]).absolute(), sys.argv[2]
    found = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "tool.c").write_text(TOOL)
        (folder / "program.c").write_text(PROGRAM)
        (folder / "early.c").write_text(ENDS_EARLY)

        def tool(name: str, *flags: str) -> str:
            return str(build.tool(compiler, folder / "tool.c", folder / f"{name}.so", f'-DNAME="{name}"', *flags))

        first, second = tool("first", "-DWANTS=1"), tool("second", "-DWANTS=1")
        quiet = tool("quiet", "-DWANTS=1", "-DSETS_NOTHING")
        declines = tool("declines", "-DDECLINES", "-DWANTS=0")
        refuses, nothing = tool("refuses", "-DWANTS=0"), tool("nothing", "-DNOTHING", "-DWANTS=0")
        program = build.program(compiler, folder / "program.c", folder / "program")
        build.run(compiler, "-c", "-DWANTS=1", '-DNAME="own"', f"-I{folder / 'include'}", folder / "tool.c", "-o",
                  folder / "tool.o")
        own = build.program(compiler, folder / "program.c", folder / "own", folder / "tool.o", "-rdynamic")

        def check(what: str, wanted: str, its_program: Path, report: tuple[str, ...] = (), **variables: str) -> None:
            ended = build.execute(library, [its_program], **variables)
            if ended.returncode != 0 or ended.stdout != wanted:
                found.append(f"{what}: status {ended.returncode}, {ended.stdout!r} instead of {wanted!r}")
            missing = [words for words in report if words not in ended.stderr]
            if missing or (not report and ended.stderr):
                found.append(f"{what}: {ended.stderr!r} lacks {missing}" if missing
                             else f"{what}: {ended.stderr!r} on standard error")

        check("no tool", ALONE, program)
        check("a tool in a library", told("first"), program, OMP_TOOL_LIBRARIES=first)
        check("the first of two", told("second"), program, OMP_TOOL_LIBRARIES=f"{second}:{first}")
        check("a preloaded tool", told("first"), program, LD_PRELOAD=first)
        check("a tool in the program", told("own"), own, OMP_TOOL_LIBRARIES=first)
        check("OMP_TOOL=disabled", ALONE, own, OMP_TOOL="disabled", OMP_TOOL_LIBRARIES=first)
        check("OMP_TOOL=Enabled", told("own"), own, OMP_TOOL="Enabled")
        missing = str(folder / "missing.so")
        check("a search", "main\ndeclines declines\nrefuses begins 1\n" + told("first")[len("main\n"):], program,
              ("the program and its libraries have no ompt_start_tool", f"{missing} cannot be loaded",
               f"{nothing} has no ompt_start_tool", f"ompt_start_tool of {declines} declines",
               f"the tool in {refuses} declines when it is initialised", f"the tool in {first} has started"),
              OMP_TOOL_LIBRARIES=":".join((missing, nothing, declines, refuses, first, second)),
              OMP_TOOL_VERBOSE_INIT="stderr")
        check("a tool behind one that declines when it has set callbacks",
              "main\nrefuses begins 1\nquiet begins 1\nregion -1\nquiet ends\n", program,
              OMP_TOOL_LIBRARIES=f"{refuses}:{quiet}")
        check("a search in vain", ALONE, program, ("OMP_TOOL_LIBRARIES names no library", "no tool watches"),
              OMP_TOOL_VERBOSE_INIT="stderr")
        check("a search that is off", ALONE, program, ("OMP_TOOL=disabled",), OMP_TOOL="disabled",
              OMP_TOOL_VERBOSE_INIT="stderr")
        log = folder / "log"
        check("a report in a file", told("first"), program, OMP_TOOL_LIBRARIES=first,
              OMP_TOOL_VERBOSE_INIT=str(log))
        if not log.is_file() or "has started" not in log.read_text():
            found.append("the report is not in the file that OMP_TOOL_VERBOSE_INIT names")
        check("a file that cannot be", told("first"), program, ("/nowhere/log", "accepted are"),
              OMP_TOOL_LIBRARIES=first, OMP_TOOL_VERBOSE_INIT="/nowhere/log")
        early = build.program(compiler, folder / "early.c", folder / "early", f"-I{folder / 'include'}", "-rdynamic")
        check("an inner region after the tool's end", "the tool ends\n3 threads\n", early)
        check("a bad value", told("own"), own, ("OMP_TOOL", "maybe", "enabled or disabled"), OMP_TOOL="maybe")
    print("\n".join(found) or "tools are found where they should be")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
