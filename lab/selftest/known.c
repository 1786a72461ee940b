/* Programs whose counts are known, one after another in one process; run.py has these counts.
 *
 * Everything between START and STOP is one block of assembly that touches nothing but the data: no
 * stack, no other variable. User code of other processes does not run, and the kernel's accesses
 * are not modelled, so the counts of data are exact, without a tolerance.
 *
 *   known L2_PAGES L3_PAGES STREAM_PAGES
 *
 * prints a line of JSON for the machine as the guest's kernel sees it, and one for each region.
 *
 * Caches keep their lines from region to region. The order of the tests makes known what a region
 * finds in them: each small test has pages of its own, which nothing has touched while it was
 * counted; after each stream of stores the caches of its CPU are filled with clean lines; and the
 * few lines that are exchanged at the end replace only clean lines.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../mark.h"

enum { kLine = 64, kPage = 4096, kLinesOfPage = kPage / kLine, kMaxCpus = 256, kMaxNodes = 32 };
enum { kBind = 2, kMove = 2 }; /* MPOL_BIND, MPOL_MF_MOVE */

static struct {
  int cpus, nodes;
  int node[kMaxCpus], package[kMaxCpus], l3[kMaxCpus];
  int has_memory[kMaxNodes];
} machine;

static void fail(const char* what) {
  fflush(stdout);
  perror(what);
  exit(1);
}

/* The text of a file of sysfs; empty if there is none. */
static const char* text_of(const char* format, int number) {
  static char text[4096];
  char path[128];
  snprintf(path, sizeof path, format, number);
  FILE* file = fopen(path, "r");
  text[0] = 0;
  if (file) {
    if (!fgets(text, sizeof text, file)) text[0] = 0;
    fclose(file);
  }
  return text;
}

static int exists(const char* format, int a, int b) {
  char path[128];
  snprintf(path, sizeof path, format, a, b);
  return access(path, F_OK) == 0;
}

static void read_machine(void) {
  while (exists("/sys/devices/system/node/node%d", machine.nodes, 0)) ++machine.nodes;
  for (int n = 0; n < machine.nodes; ++n) {
    unsigned long kilobytes = 0;
    const char* total = strstr(text_of("/sys/devices/system/node/node%d/meminfo", n), "MemTotal:");
    if (total) sscanf(total, "MemTotal: %lu", &kilobytes);
    machine.has_memory[n] = kilobytes > 0;
  }
  machine.cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
  for (int c = 0; c < machine.cpus; ++c) {
    for (int n = 0; n < machine.nodes; ++n)
      if (exists("/sys/devices/system/cpu/cpu%d/node%d", c, n)) machine.node[c] = n;
    machine.package[c] =
        atoi(text_of("/sys/devices/system/cpu/cpu%d/topology/physical_package_id", c));
    /* A group is named after its first CPU. */
    const char* group = text_of("/sys/devices/system/cpu/cpu%d/cache/index3/shared_cpu_list", c);
    if (!*group) {
      fprintf(stderr, "the guest's kernel knows no L3 cache of CPU %d\n", c);
      exit(1);
    }
    machine.l3[c] = atoi(group);
  }
}

static void print_machine(void) {
  printf("{\"cpus\": [");
  for (int c = 0; c < machine.cpus; ++c)
    printf("%s{\"node\": %d, \"package\": %d, \"l3\": %d}", c ? ", " : "", machine.node[c],
           machine.package[c], machine.l3[c]);
  printf("], \"nodes\": [");
  for (int n = 0; n < machine.nodes; ++n)
    printf("%s{\"memory\": %d, \"distances\": \"%.*s\"}", n ? ", " : "", machine.has_memory[n],
           (int)strcspn(text_of("/sys/devices/system/node/node%d/distance", n), "\n"),
           text_of("/sys/devices/system/node/node%d/distance", n));
  printf("]}\n");
}

/* Pages on a node, already touched. */
static char* pages_on(int node, long pages) {
  const unsigned long mask = 1ul << node;
  char* memory =
      mmap(NULL, pages * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail("mmap");
  if (syscall(SYS_mbind, memory, pages * kPage, kBind, &mask, 64ul, 0ul)) fail("mbind");
  memset(memory, 1, pages * kPage);
  return memory;
}

static void go_to(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set)) fail("sched_setaffinity");
}

/* QEMU counts an instruction that crosses a page in two blocks, so no function here crosses one. */
#define REGION static void __attribute__((noinline, aligned(256)))

/* A region: `passes` times over `count` places `step` bytes apart; `insn` touches the one at %0. */
#define COUNTED(name, insn)                                   \
  REGION name(char* at, long step, long count, long passes) { \
    char* here = at;                                          \
    long left = count;                                        \
    LAB_START();                                              \
    __asm__ __volatile__(                                     \
        "3:\n\t"                                              \
        "mov %4, %0\n\t"                                      \
        "mov %5, %1\n\t"                                      \
        "2:\n\t" insn                                         \
        "\n\t"                                                \
        "add %3, %0\n\t"                                      \
        "dec %1\n\t"                                          \
        "jnz 2b\n\t"                                          \
        "dec %2\n\t"                                          \
        "jnz 3b"                                              \
        : "+&r"(here), "+&r"(left), "+&r"(passes)             \
        : "r"(step), "r"(at), "r"(count)                      \
        : "rax", "xmm0", "cc", "memory");                     \
    LAB_STOP();                                               \
  }

COUNTED(loads, "mov (%0), %%rax")
COUNTED(stores, "mov %%rax, (%0)")
COUNTED(wide_loads, "movups (%0), %%xmm0")
COUNTED(updates, "lock incq (%0)")
COUNTED(pauses, "pause")
COUNTED(no_accesses, "lea 1(%%rax), %%rax")

REGION nothing(void) {
  LAB_START();
  LAB_STOP();
}

/* Loads one line before and after its page moves to a node, under the same address. */
REGION moved(char* at, int node) {
  void* pages[] = {at};
  int status = -1;
  long result = SYS_move_pages;
  register long r10 __asm__("r10") = (long)&node;
  register long r8 __asm__("r8") = (long)&status;
  register long r9 __asm__("r9") = kMove;
  LAB_START();
  __asm__ __volatile__(
      "mov (%1), %%rcx\n\t"
      "syscall\n\t"
      "mov (%1), %%rcx"
      : "+a"(result)
      : "r"(at), "D"(0L), "S"(1L), "d"(pages), "r"(r10), "r"(r8), "r"(r9)
      : "rcx", "r11", "memory");
  LAB_STOP();
  if (result != 0 || status != node) {
    fprintf(stderr, "move_pages to node %d: %ld, status %d\n", node, result, status);
    exit(1);
  }
}

/* Says what the last region was: run by `cpu`, which got its lines from CPU `from` if that is not
 * -1, in memory of node `home`. */
static void done(const char* test, int cpu, int from, int home) {
  printf("{\"test\": \"%s\", \"cpu\": %d, \"from\": %d, \"home\": %d}\n", test, cpu, from, home);
}

static void single_cpu(int home, long l2_pages, long l3_pages, long stream_pages) {
  const int cpu = 0;
  go_to(cpu);
  nothing();
  done("nothing", cpu, -1, home);
  no_accesses(NULL, 0, 1000, 1);
  done("no_accesses", cpu, -1, home);
  pauses(NULL, 0, 100, 1);
  done("pauses", cpu, -1, home);
  loads(pages_on(home, l2_pages), kLine, l2_pages * kLinesOfPage, 2);
  done("fits_l2", cpu, -1, home);
  loads(pages_on(home, l3_pages), kLine, l3_pages * kLinesOfPage, 2);
  done("fits_l3", cpu, -1, home);
  loads(pages_on(home, 2) + kLine - 4, kLine, 2 * kLinesOfPage - 1, 1);
  done("across_lines", cpu, -1, home);
  wide_loads(pages_on(home, 1), 16, kPage / 16, 1);
  done("wide_loads", cpu, -1, home);
  updates(pages_on(home, 1), kLine, kLinesOfPage, 1);
  done("updates", cpu, -1, home);
  loads(pages_on(home, stream_pages), kLine, stream_pages * kLinesOfPage, 1);
  done("clean_updates", cpu, -1, home);
}

/* Streams that no cache can hold, from a CPU to the memory of a node. */
static void streams(int cpu, int home, long pages) {
  static char *data[kMaxNodes], *others[kMaxNodes];
  const long places = pages * (kPage / 32); /* two in each line */
  if (!data[home]) {
    data[home] = pages_on(home, pages);
    others[home] = pages_on(home, pages);
  }
  go_to(cpu);
  loads(data[home], 32, places, 2);
  done("stream_loads", cpu, -1, home);
  stores(data[home], 32, places, 2);
  done("stream_stores", cpu, -1, home);
  loads(others[home], kLine, pages * kLinesOfPage, 1);
  done("clean", cpu, -1, home);
}

/* A page of lines handed from one CPU to another and back. */
static void exchange(int cpu, int other, int home) {
  char* page = pages_on(home, 1);
  go_to(cpu);
  stores(page, kLine, kLinesOfPage, 1);
  done("first_stores", cpu, -1, home);
  go_to(other);
  loads(page, kLine, kLinesOfPage, 1);
  done("take_by_load", other, cpu, home);
  stores(page, kLine, kLinesOfPage, 1);
  done("own_by_store", other, cpu, home);
  go_to(cpu);
  stores(page, kLine, kLinesOfPage, 1);
  done("take_by_store", cpu, other, home);
}

/* 0 the same L3, 1 another one of the package, 2 another package */
static int kind(int a, int b) {
  if (machine.l3[a] == machine.l3[b]) return 0;
  return machine.package[a] == machine.package[b] ? 1 : 2;
}

static void exchanges(int cpu, int home) {
  for (int wanted = 0; wanted < 3; ++wanted)
    for (int other = machine.cpus - 1; other >= 0; --other)
      if (other != cpu && kind(cpu, other) == wanted) {
        exchange(cpu, other, home);
        break;
      }
}

/* The last test, with pages made before: a page that is left behind goes to the next request, with
 * a line of it still cached. */
static void moves(int home) {
  const int cpu = 0;
  char* pages = pages_on(home, machine.nodes);
  go_to(cpu);
  for (int node = 0; node < machine.nodes; ++node) {
    if (node == home || !machine.has_memory[node]) continue;
    moved(pages + node * kPage, node);
    done("moved", cpu, -1, node);
  }
}

static int first_of_node(int cpu) {
  for (int c = 0; c < cpu; ++c)
    if (machine.node[c] == machine.node[cpu]) return 0;
  return 1;
}

static int first_of_package(int cpu) {
  for (int c = 0; c < cpu; ++c)
    if (machine.package[c] == machine.package[cpu]) return 0;
  return 1;
}

int main(int argc, char** argv) {
  long pages[3];
  for (int i = 0; i < 3; ++i) {
    pages[i] = i + 1 < argc ? atol(argv[i + 1]) : 0;
    if (argc != 4 || pages[i] < 1) {
      fprintf(stderr, "known L2_PAGES L3_PAGES STREAM_PAGES: three numbers from 1\n");
      return 2;
    }
  }
  read_machine();
  print_machine();
  int home = 0;
  while (!machine.has_memory[home]) ++home;
  single_cpu(home, pages[0], pages[1], pages[2]);
  for (int cpu = 0; cpu < machine.cpus; ++cpu)
    for (int node = 0; node < machine.nodes; ++node)
      if (first_of_node(cpu) && machine.has_memory[node]) streams(cpu, node, pages[2]);
  for (int cpu = 0; cpu < machine.cpus; ++cpu)
    if (first_of_package(cpu)) exchanges(cpu, home);
  moves(home);
  return 0;
}
