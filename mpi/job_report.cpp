#include "job_report.hpp"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <string>

#include "base/decimal.hpp"
#include "base/file.hpp"
#include "base/open_file.hpp"
#include "base/say.hpp"
#include "config/numbers.hpp"
#include "job.hpp"
#include "place.hpp"
#include "sites.hpp"
#include "this_mpi.hpp"

namespace vicino::pmpi {
namespace {

constexpr const char* kToStderr = "-";

// As StatsText of config/table.cpp reads it: empty for none.
std::string where_to() {
  const char* text = secure_getenv("VICINO_JOB_REPORT");
  if (text == nullptr) return {};
  if (const auto flag = config::Flag::parse(text)) return *flag ? kToStderr : "";
  return text;
}

SiteTimes times_of(const Site& site) {
  SiteTimes times;
  if (site.function != nullptr) {
    Place place = place_of(site.path);
    times = {site.function->name(), std::move(place.key), std::move(place.place),
             std::move(place.from)};
  } else {
    times = {"MPI", "others", "all call sites beyond " + std::to_string(kSites), {}};
  }
  times.calls = site.calls.load(std::memory_order_relaxed);
  times.bytes = site.bytes.load(std::memory_order_relaxed);
  times.ns = site.ns.load(std::memory_order_relaxed);
  times.waiting_ns = site.waiting_ns.load(std::memory_order_relaxed);
  return times;
}

RankTimes times_of_this_rank(const MainTimes& main) {
  RankTimes times;
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  times.host = host;
  times.wall_ns = main.wall_ns;
  times.inside_ns = main.inside_ns;
  times.waiting_ns = main.waiting_ns;
  const auto note = [](const Site& site, void* data) {
    static_cast<RankTimes*>(data)->sites.push_back(times_of(site));
  };
  for_each_site(note, &times);
  return times;
}

// Messages among the ranks, apart from the program's own.
class Ranks {
 public:
  Ranks() {
    // Not MPI_Comm_dup(), which calls functions of the program to copy its attributes.
    Real<decltype(&PMPI_Comm_split)>("PMPI_Comm_split").get()(world(), 0, 0, &comm_);
    Real<decltype(&PMPI_Comm_rank)>("PMPI_Comm_rank").get()(comm_, &rank_);
    Real<decltype(&PMPI_Comm_size)>("PMPI_Comm_size").get()(comm_, &size_);
  }
  ~Ranks() { Real<decltype(&PMPI_Comm_free)>("PMPI_Comm_free").get()(&comm_); }
  Ranks(const Ranks&) = delete;

  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }

  void send(const std::string& bytes, int to) {
    const uint64_t size = bytes.size();
    send(&size, sizeof size, to);
    for (uint64_t at = 0; at < size; at += kPiece)
      send(bytes.data() + at, static_cast<int>(std::min(kPiece, size - at)), to);
  }

  std::string receive(int from) {
    uint64_t size = 0;
    receive(&size, sizeof size, from);
    std::string bytes(size, '\0');
    for (uint64_t at = 0; at < size; at += kPiece)
      receive(bytes.data() + at, static_cast<int>(std::min(kPiece, size - at)), from);
    return bytes;
  }

 private:
  static constexpr uint64_t kPiece = 1 << 28;  // counts are ints
  static constexpr int kTag = 1;

  void send(const void* bytes, int size, int to) {
    Real<decltype(&PMPI_Send)>("PMPI_Send").get()(bytes, size, byte_type(), to, kTag, comm_);
  }
  void receive(void* bytes, int size, int from) {
    Real<decltype(&PMPI_Recv)>("PMPI_Recv")
        .get()(bytes, size, byte_type(), from, kTag, comm_, MPI_STATUS_IGNORE);
  }

  MPI_Comm comm_{};
  int rank_ = 0, size_ = 1;
};

void write_out(const Job& job) {
  const PlainNumbers plain;  // JSON has points
  const std::string where = where_to();
  if (where == kToStderr) {
    write_all(STDERR_FILENO, as_text(job));
    return;
  }
  const int error = write_text(where, where.ends_with(".json") ? as_json(job) : as_text(job));
  if (error != 0) say("VICINO_JOB_REPORT: cannot write %s: %s", where.c_str(), strerror(error));
}

}  // namespace

bool report_is_asked_for() noexcept {
  static const bool asked = !where_to().empty();
  return asked;
}

void write_job_report(const MainTimes& main) {
  const RankTimes own = times_of_this_rank(main);
  Ranks ranks;
  if (ranks.rank() != 0) {
    ranks.send(packed(own), 0);
    return;
  }
  std::vector<RankTimes> all{own};
  for (int rank = 1; rank < ranks.size(); ++rank)
    if (!unpack(ranks.receive(rank), all.emplace_back()))
      say("VICINO_JOB_REPORT: the times of rank %d did not arrive whole", rank);
  write_out(job_of(kMpi, program_invocation_name, std::move(all)));
}

}  // namespace vicino::pmpi
