#include "job.hpp"

#include <string.h>

#include <algorithm>
#include <map>

namespace vicino::pmpi {
namespace {

void put(std::string& bytes, uint64_t number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void put(std::string& bytes, const std::string& text) {
  put(bytes, text.size());
  bytes += text;
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) noexcept : left_(bytes) {}

  void get(uint64_t& number) noexcept {
    number = 0;
    if (!take(sizeof number)) return;
    memcpy(&number, taken_.data(), sizeof number);
  }
  void get(std::string& text) {
    uint64_t size;
    get(size);
    text = take(size) ? taken_ : std::string_view();
  }
  uint64_t left() const noexcept { return left_.size(); }
  bool whole() const noexcept { return !short_ && left_.empty(); }

 private:
  bool take(uint64_t size) noexcept {
    if (size > left_.size()) {
      short_ = true;
      return false;
    }
    taken_ = left_.substr(0, size);
    left_.remove_prefix(size);
    return true;
  }

  std::string_view left_, taken_;
  bool short_ = false;
};

double ratio(double part, double whole) noexcept { return whole > 0 ? part / whole : 1; }

void add(SiteOfJob& sum, const SiteTimes& site, uint64_t rank) {
  if (sum.ranks++ == 0) {
    sum.all = site;
    sum.least_waiting_ns = sum.most_waiting_ns = site.waiting_ns;
    sum.most_at = rank;
    return;
  }
  sum.all.calls += site.calls;
  sum.all.bytes += site.bytes;
  sum.all.ns += site.ns;
  sum.all.waiting_ns += site.waiting_ns;
  sum.least_waiting_ns = std::min(sum.least_waiting_ns, site.waiting_ns);
  if (site.waiting_ns > sum.most_waiting_ns) {
    sum.most_waiting_ns = site.waiting_ns;
    sum.most_at = rank;
  }
}

// In a rank two sites can have one key: the same path with other depths of the stack.
std::map<std::string, SiteTimes> by_key(const RankTimes& rank) {
  std::map<std::string, SiteTimes> sites;
  for (const SiteTimes& site : rank.sites) {
    const auto [at, is_new] = sites.try_emplace(site.call + site.key, site);
    if (is_new) continue;
    at->second.calls += site.calls;
    at->second.bytes += site.bytes;
    at->second.ns += site.ns;
    at->second.waiting_ns += site.waiting_ns;
  }
  return sites;
}

std::vector<SiteOfJob> sites_of(const std::vector<RankTimes>& ranks) {
  std::map<std::string, SiteOfJob> sums;
  for (uint64_t rank = 0; rank < ranks.size(); ++rank)
    for (const auto& [key, site] : by_key(ranks[rank])) add(sums[key], site, rank);
  std::vector<SiteOfJob> sites;
  for (auto& [key, site] : sums) {
    if (site.ranks < ranks.size()) site.least_waiting_ns = 0;
    sites.push_back(std::move(site));
  }
  std::ranges::sort(sites, [](const SiteOfJob& a, const SiteOfJob& b) {
    return a.all.waiting_ns != b.all.waiting_ns ? a.all.waiting_ns > b.all.waiting_ns
                                                : a.all.key < b.all.key;
  });
  return sites;
}

}  // namespace

uint64_t RankTimes::calls() const noexcept {
  uint64_t sum = 0;
  for (const SiteTimes& site : sites) sum += site.calls;
  return sum;
}

std::string packed(const RankTimes& times) {
  std::string bytes;
  put(bytes, times.host);
  for (const uint64_t number :
       {times.wall_ns, times.inside_ns, times.waiting_ns, times.sites.size()})
    put(bytes, number);
  for (const SiteTimes& site : times.sites) {
    for (const std::string* text : {&site.call, &site.key, &site.place, &site.from})
      put(bytes, *text);
    for (const uint64_t number : {site.calls, site.bytes, site.ns, site.waiting_ns})
      put(bytes, number);
  }
  return bytes;
}

bool unpack(std::string_view bytes, RankTimes& times) {
  Reader reader(bytes);
  uint64_t count;
  reader.get(times.host);
  for (uint64_t* number : {&times.wall_ns, &times.inside_ns, &times.waiting_ns, &count})
    reader.get(*number);
  if (count > reader.left()) return false;  // a site has more than one byte
  times.sites.resize(count);
  for (SiteTimes& site : times.sites) {
    for (std::string* text : {&site.call, &site.key, &site.place, &site.from}) reader.get(*text);
    for (uint64_t* number : {&site.calls, &site.bytes, &site.ns, &site.waiting_ns})
      reader.get(*number);
  }
  return reader.whole();
}

uint64_t Job::wall_ns() const noexcept {
  uint64_t longest = 0;
  for (const RankTimes& rank : ranks) longest = std::max(longest, rank.wall_ns);
  return longest;
}

double Job::mean_compute_ns() const noexcept {
  double sum = 0;
  for (const RankTimes& rank : ranks) sum += static_cast<double>(rank.compute_ns());
  return ranks.empty() ? 0 : sum / static_cast<double>(ranks.size());
}

uint64_t Job::longest_compute_at() const noexcept {
  const auto longest = std::ranges::max_element(ranks, {}, &RankTimes::compute_ns);
  return static_cast<uint64_t>(longest - ranks.begin());
}

uint64_t Job::longest_compute_ns() const noexcept {
  return ranks.empty() ? 0 : ranks[longest_compute_at()].compute_ns();
}

double Job::load_balance() const noexcept {
  return ratio(mean_compute_ns(), static_cast<double>(longest_compute_ns()));
}

double Job::communication_efficiency() const noexcept {
  return ratio(static_cast<double>(longest_compute_ns()), static_cast<double>(wall_ns()));
}

double Job::parallel_efficiency() const noexcept {
  return load_balance() * communication_efficiency();
}

Job job_of(std::string mpi, std::string program, std::vector<RankTimes> ranks) {
  Job job{std::move(mpi), std::move(program), std::move(ranks), {}};
  job.sites = sites_of(job.ranks);
  return job;
}

}  // namespace vicino::pmpi
