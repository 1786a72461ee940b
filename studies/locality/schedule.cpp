#include "schedule.hpp"

#include <omp.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace bench::locality {
namespace {

struct Compiled {
  std::string_view kind;
  bool has_chunk;
  Form form;
};

constexpr Compiled kCompiled[] = {
    {"static", false, Form::kStatic},
    {"static", true, Form::kStaticChunked},
    {"nonmonotonic:dynamic", true, Form::kDynamic},
    {"monotonic:dynamic", true, Form::kMonotonicDynamic},
    {"guided", true, Form::kGuided},
    {"taskloop", true, Form::kTaskloop},
};

Form form_of(const std::string& kind, bool has_chunk) {
  for (const Compiled& row : kCompiled)
    if (row.kind == kind && row.has_chunk == has_chunk) return row.form;
  return Form::kRuntime;
}

[[noreturn]] void fail(int status, const std::string& why) {
  std::fprintf(stderr, "locality: %s\n", why.c_str());
  std::exit(status);
}

// Only schedules that Vicino has beside the clause's come this way: auto, and numbers from 101 on.
bool is_known(const std::string& kind, omp_sched_t number) {
  return kind == "auto" ? number == omp_sched_auto : number > omp_sched_auto;
}

}  // namespace

Schedule::Schedule(const std::string& text) : text_(text), kind_(text) {
  has_chunk_ = kind_.ends_with(",c");
  if (has_chunk_) kind_.resize(kind_.size() - 2);
  form_ = form_of(kind_, has_chunk_);
  if (kind_.empty() || kind_.find(',') != std::string::npos || (kind_ == "taskloop" && !has_chunk_))
    fail(2, "'" + text + "' is not a schedule; accepted: KIND or KIND,c");
}

void Schedule::set_environment() const {
  if (form_ == Form::kRuntime) setenv("OMP_SCHEDULE", kind_.c_str(), 1);
}

void Schedule::choose(int chunk) const {
  if (form_ != Form::kRuntime) return;
  omp_sched_t now;
  int unused;
  omp_get_schedule(&now, &unused);
  if (!is_known(kind_, now))
    fail(kWrongSchedule, "the runtime chose schedule " + std::to_string(now) + " for " + kind_);
  omp_set_schedule(now, has_chunk_ ? chunk : 0);
}

}  // namespace bench::locality
