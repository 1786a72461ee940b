// omp_capture_affinity and the setting of the format: widths, zeros and both alignments, long names of fields, a buffer
// that is too short, and what the fields are in nested regions.
// test: uses threads=2,4 OMP_MAX_ACTIVE_LEVELS=2
#define _GNU_SOURCE
#include <omp.h>
#include <unistd.h>

#include "check.h"

enum { kSize = 400 };

static void check_text(int line, const char* format, const char* wanted) {
  char text[kSize];
  memset(text, '#', sizeof text);
  const size_t length = omp_capture_affinity(text, sizeof text, format);
  if (length == strlen(wanted) && strcmp(text, wanted) == 0) return;
  fprintf(stderr, "'%s': '%.*s', not '%s'\n", format, kSize - 1, text, wanted);
  check_fail(__FILE__, line, "length", (long long)length, (long long)strlen(wanted));
}
#define CHECK_TEXT(format, wanted) check_text(__LINE__, format, wanted)

static void fields(void) {
  char wanted[kSize], host[kSize / 4];
  CHECK_EQ(gethostname(host, sizeof host), 0);
  CHECK_TEXT("no field", "no field");
  CHECK_TEXT("100%%", "100%");
  CHECK_TEXT("%t %T %L %n %N %a", "0 1 0 0 1 -1");
  CHECK_TEXT(
      "%{team_num} %{num_teams} %{nesting_level} %{thread_num} %{num_threads} %{ancestor_tnum}",
      "0 1 0 0 1 -1");
  CHECK_TEXT("<%6N><%.6N><%0.6N>", "<1     ><     1><000001>");
  const int process = getpid();
  snprintf(wanted, sizeof wanted, "<%d><%-11d><%011d>", process, process, process);
  CHECK_TEXT("<%P><%11{process_id}><%0.11P>", wanted);
  snprintf(wanted, sizeof wanted, "<%s><%-90s><%90s>", host, host, host);
  CHECK_TEXT("<%H><%90{host}><%.90H>", wanted);
}

// The text is cut and ended, and its whole length is told.
static void short_buffers(void) {
  char text[8];
  for (size_t size = 0; size < sizeof text; ++size) {
    memset(text, '#', sizeof text);
    CHECK_EQ(omp_capture_affinity(text, size, "thread %.5n"), 12);
    CHECK_EQ(memcmp(text, "thread ", size == 0 ? 0 : size - 1), 0);
    if (size > 0) CHECK_EQ(text[size - 1], '\0');
    for (size_t i = size; i < sizeof text; ++i) CHECK_EQ(text[i], '#');
  }
  CHECK_EQ(omp_capture_affinity(NULL, 0, "thread %.5n"), 12);
}

static void by_setting(void) {
  char text[kSize], wanted[kSize];
  omp_set_affinity_format("<%.2L %0.3n %a>");
  CHECK_EQ(omp_get_affinity_format(text, 6), 15);
  CHECK(strcmp(text, "<%.2L") == 0);
  CHECK_TEXT(NULL, "< 0 000 -1>");
#pragma omp parallel private(text, wanted)
  {
    const int me = omp_get_thread_num();
    snprintf(wanted, sizeof wanted, "< 1 %03d 0>", me);
    CHECK_TEXT("", wanted);
#pragma omp parallel num_threads(2)
    {
      char inner[kSize];
      snprintf(inner, sizeof inner, "< 2 %03d %d>", omp_get_thread_num(), me);
      CHECK_TEXT(NULL, inner);
    }
  }
}

int main(void) {
  fields();
  short_buffers();
  by_setting();
  return check_result();
}
