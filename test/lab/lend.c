/* Two ranks of a job: the second lends all its cores, the first one borrows them. Prints lines with a word, and
 * for each thread of a region the CPUs on which it may run. */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <vicino/lend.h>

enum { kMost = 64 };

static int from_other, to_other;

static void start_ranks(const char* self) {
  int first[2], second[2];
  if (pipe(first) != 0 || pipe(second) != 0) exit(3);
  setenv("SLURM_GTIDS", "0,1", 1);
  setenv("SLURM_JOB_ID", "7", 1);
  setenv("SLURM_STEP_ID", "0", 1);
  setenv("TMPDIR", "/tmp", 1);
  const int is_owner = fork() == 0;
  setenv("SLURM_LOCALID", is_owner ? "1" : "0", 1);
  char from[16], to[16];
  snprintf(from, sizeof from, "%d", is_owner ? first[0] : second[0]);
  snprintf(to, sizeof to, "%d", is_owner ? second[1] : first[1]);
  /* Each has to see that the other has ended. */
  close(is_owner ? first[1] : first[0]);
  close(is_owner ? second[0] : second[1]);
  execl(self, self, is_owner ? "owner" : "borrower", from, to, (char*)NULL);
  exit(4);
}

static char ask(char word) {
  if (write(to_other, &word, 1) != 1 || read(from_other, &word, 1) != 1) exit(5);
  return word;
}

static int team_size(void) {
  int size = 0;
#pragma omp parallel
#pragma omp single
  size = omp_get_num_threads();
  return size;
}

static void own(void) {
  team_size();
  for (char word; read(from_other, &word, 1) == 1;) {
    char answer = 0;
    if (word == 'l') answer = (char)vicino_lend();
    if (word == 'r') vicino_reclaim();
    if (word == 's') answer = (char)team_size();
    if (write(to_other, &answer, 1) != 1) exit(6);
  }
}

static void print_masks(const char* word, const cpu_set_t* masks, int size) {
  printf("%s", word);
  for (int i = 0; i < size; ++i) {
    char separator = ' ';
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &masks[i])) printf("%c%d", separator, cpu), separator = ',';
  }
  printf("\n");
}

static void region(const char* word, int most) {
  cpu_set_t masks[kMost];
  int size = 0;
#pragma omp parallel num_threads(most)
  {
    sched_getaffinity(0, sizeof *masks, &masks[omp_get_thread_num()]);
#pragma omp single
    size = omp_get_num_threads();
  }
  print_masks(word, masks, size);
}

static int are_filled(const cpu_set_t* masks, int size) {
  for (int i = 0; i < size; ++i)
    if (CPU_COUNT(&masks[i]) == 0) return 0;
  return 1;
}

/* The CPUs on which each member of one region ran tasks of a taskloop. The taskloop is repeated until each member has
 * run one: where the machine has fewer CPUs than the guest, these take turns, and a member may sleep through a loop. */
static void taskloop(void) {
  cpu_set_t masks[kMost];
  memset(masks, 0, sizeof masks);
  int size = 0;
#pragma omp parallel
#pragma omp single
  {
    size = omp_get_num_threads();
    const time_t end = time(NULL) + 20;
    do {
#pragma omp taskloop num_tasks(16 * size)
      for (int i = 0; i < 16 * size; ++i) {
        CPU_SET(sched_getcpu(), &masks[omp_get_thread_num()]);
        usleep(3000);
      }
    } while (!are_filled(masks, size) && time(NULL) < end);
  }
  print_masks("taskloop", masks, size);
}

/* The owner takes its cores back in the middle of a region. The masks are those that the members have afterwards. */
static void wanted_back(int own_size) {
  cpu_set_t masks[kMost];
  int size = 0, left = 0;
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    cpu_set_t before;
    sched_getaffinity(0, sizeof before, &before);
#pragma omp barrier
#pragma omp single nowait
    {
      size = omp_get_num_threads();
      ask('r');
    }
    const time_t end = time(NULL) + 20;
    do {
      usleep(1000);
      sched_getaffinity(0, sizeof *masks, &masks[me]);
    } while (me >= own_size && CPU_EQUAL(&masks[me], &before) && time(NULL) < end);
#pragma omp atomic
    left += me >= own_size && !CPU_EQUAL(&masks[me], &before);
  }
  if (left != size - own_size) exit(7);
  print_masks("back", masks, size);
}

int main(int argc, char** argv) {
  if (argc < 4) start_ranks(argv[0]);
  from_other = atoi(argv[2]);
  to_other = atoi(argv[3]);
  if (strcmp(argv[1], "owner") == 0) return own(), 0;
  const int all = omp_get_max_threads();
  region("alone", all);
  const int own_size = team_size();
  printf("lends %d\n", ask('l'));
  region("few", own_size + 2);
  region("all", all);
  taskloop();
  wanted_back(own_size);
  region("alone", all);
  printf("owner %d\n", ask('s'));
  ask('l');
  region("all", all);
  return 0;
}
