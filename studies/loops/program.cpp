#include "program.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>

#include "../../bench/kernels/numbers.hpp"
#include "../../bench/loops/graph.hpp"
#include "base/say.hpp"

namespace loops {
namespace {

// ---- Synthetic

Program uniform(const Parameters& p) {
  Loop loop{.trip = static_cast<uint64_t>(p.uniform_trip)};
  loop.cost.cycles = 2 * p.operation;  // table 1: a mean of 2
  return {{loop}};
}

// Not in the paper's table 1: as much work in an iteration as the exponential loads have.
Program uniform_long(const Parameters& p) {
  Loop loop{.trip = static_cast<uint64_t>(p.exponential_trip)};
  loop.cost.cycles = 1e5 * p.operation;
  return {{loop}};
}

Program exponential(const Parameters& p, bool grows) {
  const auto trip = static_cast<uint64_t>(p.exponential_trip);
  const auto quantile = [=](uint64_t i) {
    const uint64_t rank = grows ? i : trip - 1 - i;
    const double below = (static_cast<double>(rank) + 0.5) / static_cast<double>(trip);
    return static_cast<uint32_t>(std::ceil(-1e5 * std::log1p(-below)));
  };
  Loop loop{.trip = trip, .units = std::make_shared<Units>(trip, quantile)};
  loop.cost.cycles_of_unit = p.operation;
  return {{loop}};
}

// ---- miniTri: rows of the enumeration matrix of hugetrace-00000. Their nonzeros are binomial with table
// 1's mean and variance, except for one row of table 1's range.

constexpr uint64_t kTriRows = 4'588'484;

std::shared_ptr<const Units> tri_units() {
  constexpr int kOf = 99;
  constexpr double kPart = 6.3 / kOf;
  std::vector<double> until;  // the distribution function
  double chance = std::pow(1 - kPart, kOf), sum = 0;
  for (int k = 0; k <= kOf; ++k) {
    until.push_back(sum += chance);
    chance *= static_cast<double>(kOf - k) / (k + 1) * kPart / (1 - kPart);
  }
  auto nonzeros = std::make_shared<std::vector<uint8_t>>(kTriRows);
  for (uint64_t i = 0; i < kTriRows; ++i)
    (*nonzeros)[i] = static_cast<uint8_t>(
        std::min<long>(std::ranges::lower_bound(until, bench::uniform(i)) - until.begin(), kOf));
  (*nonzeros)[kTriRows / 2] = 84;
  return std::make_shared<Units>(kTriRows, [=](uint64_t i) { return (*nonzeros)[i]; });
}

Program tri(const Parameters& p) {
  Loop loop{.trip = kTriRows, .units = tri_units()};
  loop.cost = {.cycles = p.tri_base, .cycles_of_unit = p.tri_unit, .bytes_of_unit = p.tri_bytes};
  return {{loop}};
}

// ---- BFS: a real search, level by level, in a graph whose edges are made anew when they are read.

constexpr uint64_t kVertices = uint64_t{1} << 24;

struct Search {
  std::vector<uint16_t> degree;
  std::vector<uint8_t> level;
  std::vector<uint64_t> vertices, edges, fresh;  // by level; fresh: edges to vertices that no
                                                 // earlier level has reached
};

std::string kept_folder;  // NOLINT: set once, before any program is made

template <class T>
bool read(std::FILE* file, std::vector<T>& values) {
  uint64_t size = 0;
  if (std::fread(&size, sizeof size, 1, file) != 1 || size > kVertices) return false;
  values.resize(size);
  return std::fread(values.data(), sizeof(T), size, file) == size;
}

template <class T>
bool write(std::FILE* file, const std::vector<T>& values) {
  const uint64_t size = values.size();
  return std::fwrite(&size, sizeof size, 1, file) == 1 &&
         std::fwrite(values.data(), sizeof(T), size, file) == size;
}

bool load(const std::string& path, Search& s) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return false;
  const bool done = read(file, s.degree) && read(file, s.level) && read(file, s.vertices) &&
                    read(file, s.edges) && read(file, s.fresh) && s.degree.size() == kVertices &&
                    s.level.size() == kVertices;
  std::fclose(file);
  return done;
}

// Another process may write the same file: each writes its own, and the last one stays.
void save(const std::string& path, const Search& s) {
  const std::string own = path + "." + std::to_string(getpid());
  std::FILE* const file = std::fopen(own.c_str(), "wb");
  if (file == nullptr) vicino::die("cannot write %s", own.c_str());
  const bool written = write(file, s.degree) && write(file, s.level) && write(file, s.vertices) &&
                       write(file, s.edges) && write(file, s.fresh);
  if (std::fclose(file) != 0 || !written || std::rename(own.c_str(), path.c_str()) != 0)
    vicino::die("cannot write %s", own.c_str());
}

void search_from_zero(Search& s, bool power) {
  constexpr uint8_t kUnreached = 255;
  s = {};
  s.degree.resize(kVertices);
  s.level.assign(kVertices, kUnreached);
  const auto place = [](uint64_t v) { return v << 20; };
  for (uint64_t v = 0; v < kVertices; ++v)
    s.degree[v] = static_cast<uint16_t>(power ? bench::power_law(place(v), 26, 1500)
                                              : 33 + bench::pick(place(v), 31));
  std::vector<uint32_t> now{0}, next;
  s.level[0] = 0;
  for (uint8_t level = 0; !now.empty(); ++level, now.swap(next)) {
    next.clear();
    uint64_t edges = 0, fresh = 0;
    for (const uint32_t v : now) {
      edges += s.degree[v];
      for (uint64_t e = 1; e <= s.degree[v]; ++e) {
        uint8_t& reached = s.level[bench::scrambled(place(v) + e) % kVertices];
        fresh += reached > level;
        if (reached != kUnreached) continue;
        reached = level + 1;
        next.push_back(static_cast<uint32_t>(&reached - s.level.data()));
      }
    }
    s.vertices.push_back(now.size());
    s.edges.push_back(edges);
    s.fresh.push_back(fresh);
  }
}

const Search& search(bool power) {
  static std::map<bool, Search> kept;
  Search& s = kept[power];
  if (!s.level.empty()) return s;
  const std::string path = kept_folder + (power ? "/bfs-power.levels" : "/bfs-uniform.levels");
  if (!kept_folder.empty() && load(path, s)) return s;
  search_from_zero(s, power);
  if (!kept_folder.empty()) save(path, s);
  return s;
}

// Rodinia's two loops for each level: vertices of the level read their edges; then those that were
// reached become the next level. Levels of few vertices are alike: the first stands for them.
Program bfs(const Parameters& p, bool power) {
  const Search& s = search(power);
  Program program;
  double small = 0;
  for (const uint64_t vertices : s.vertices) small += vertices < kVertices / 1000;
  for (size_t level = 0; level < s.vertices.size(); ++level) {
    const bool is_small = s.vertices[level] < kVertices / 1000;
    const bool after = level > 0 && is_small && s.vertices[level - 1] < kVertices / 1000;
    if (after) continue;
    const double times = is_small && level == 0 ? small : 1;
    Loop visit{
        .trip = kVertices,
        .units = std::make_shared<Units>(
            kVertices, [&s, level](uint64_t v) { return s.level[v] == level ? s.degree[v] : 0u; }),
        .times = times};
    const double fresh =
        static_cast<double>(s.fresh[level]) / static_cast<double>(std::max(s.edges[level], 1ul));
    visit.cost = {.cycles = p.scan,
                  .cycles_of_unit = p.edge,
                  .bytes = p.scan_bytes,
                  .bytes_of_unit = 4,
                  .lookups = 1,
                  .table = static_cast<double>(kVertices),
                  .stores = 2 * fresh};
    program.loops.push_back(visit);
    Loop advance{.trip = kVertices,
                 .units = std::make_shared<Units>(
                     kVertices, [&s, level](uint64_t v) { return s.level[v] == level + 1; }),
                 .times = times};
    advance.cost = {.cycles = p.scan, .cycles_of_unit = p.advance, .bytes = p.scan_bytes};
    program.loops.push_back(advance);
  }
  return program;
}

// ---- Kmeans: a million points with 34 features and 128 centres; the first of five rounds finds nothing in
// caches.

Program kmeans(const Parameters& p) {
  Loop loop{.trip = 1'000'000};
  loop.cost = {.cycles = 128 * p.distance, .bytes = 34 * 4 + 8};
  Loop later = loop;
  later.times = 4;
  return {{loop, later}};
}

// ---- LavaMD: a unit is a box beside this one, or itself, and each has a hundred particles.

constexpr uint64_t kSide = 16;

uint32_t boxes_around(uint64_t b) {
  const auto around = [](uint64_t x) { return x == 0 || x == kSide - 1 ? 2u : 3u; };
  return around(b % kSide) * around(b / kSide % kSide) * around(b / kSide / kSide);
}

Program boxes(const Parameters& p) {
  constexpr uint64_t kBoxes = kSide * kSide * kSide;
  Loop loop{.trip = kBoxes, .units = std::make_shared<Units>(kBoxes, boxes_around)};
  loop.cost = {.cycles_of_unit = 100 * 100 * p.pair, .bytes_of_unit = 100 * 40};
  return {{loop}};
}

// ---- Path: nine rows under the first; three are executed, and each stands for three.

Program path(const Parameters& p) {
  Loop loop{.trip = 100'000'000};
  loop.cost = {.cycles = p.column, .bytes = p.column_bytes};
  loop.times = 3;
  return {{loop, loop, loop}};
}

// ---- LUD: 128 x 128 blocks. Table 1's range and variance are those of (128 - k)^2 for all k; its mean is
// ten times theirs.

constexpr uint64_t kBlocks = 128;

Program lud(const Parameters& p) {
  Program program;
  for (uint64_t k = 0; k + 1 < kBlocks; ++k) {
    const uint64_t rest = kBlocks - k - 1, first = k + 1;
    Loop border{.trip = 2 * rest, .places = kBlocks * kBlocks};
    border.cost = {.cycles = p.block / 2, .bytes = p.block_bytes};
    border.place = [=](uint64_t i) {
      return i < rest ? k * kBlocks + first + i : (first + i - rest) * kBlocks + k;
    };
    program.loops.push_back(border);
    Loop update{.trip = rest * rest, .places = kBlocks * kBlocks};
    update.cost = {.cycles = p.block, .bytes = p.block_bytes};
    update.place = [=](uint64_t i) { return (first + i / rest) * kBlocks + first + i % rest; };
    program.loops.push_back(update);
  }
  return program;
}

struct Maker {
  Title title;
  std::function<Program(const Parameters&)> make;
};

const std::vector<Maker>& makers() {
  static const std::vector<Maker> all = {
      {{"synthetic-uniform", "Syn Uni"}, uniform},
      {{"synthetic-long", "Syn Uni, long"}, uniform_long},
      {{"synthetic-up", "Syn Exp Inc"}, [](const Parameters& p) { return exponential(p, true); }},
      {{"synthetic-down", "Syn Exp Dec"},
       [](const Parameters& p) { return exponential(p, false); }},
      {{"triangles", "Tri"}, tri},
      {{"bfs-uniform", "BFS Uni"}, [](const Parameters& p) { return bfs(p, false); }},
      {{"bfs-power", "BFS Pow"}, [](const Parameters& p) { return bfs(p, true); }},
      {{"kmeans", "Kmeans"}, kmeans},
      {{"boxes", "LavaMD"}, boxes},
      {{"pathfinder", "Path"}, path},
      {{"lu", "LUD"}, lud},
  };
  return all;
}

class Moments {
 public:
  void add(double x) {
    ++count_;
    sum_ += x;
    squares_ += x * x;
    least_ = std::min(least_, x);
    most_ = std::max(most_, x);
  }
  Works works() const {
    const double mean = sum_ / count_;
    return {count_, mean, squares_ / count_ - mean * mean, most_ - least_};
  }

 private:
  double count_ = 0, sum_ = 0, squares_ = 0;
  double least_ = std::numeric_limits<double>::max(), most_ = 0;
};

}  // namespace

Units::Units(uint64_t trip, At at) : at_(std::move(at)) {
  sums_.reserve(trip / kStep + 1);
  uint64_t sum = 0;
  for (uint64_t i = 0; i < trip; ++i) {
    if (i % kStep == 0) sums_.push_back(sum);
    sum += at_(i);
  }
  if (trip % kStep == 0) sums_.push_back(sum);
}

uint64_t Units::before(uint64_t i) const {
  uint64_t sum = sums_[i / kStep];
  for (uint64_t j = i / kStep * kStep; j < i; ++j) sum += at_(j);
  return sum;
}

void keep_in(std::string folder) { kept_folder = std::move(folder); }

std::vector<Title> programs() {
  std::vector<Title> titles;
  for (const Maker& maker : makers()) titles.push_back(maker.title);
  return titles;
}

Program make(std::string_view name, const Parameters& parameters) {
  for (const Maker& maker : makers())
    if (maker.title.name == name) return maker.make(parameters);
  vicino::die("no program %.*s", static_cast<int>(name.size()), name.data());
}

Works works(std::string_view name, const Parameters& parameters) {
  Moments moments;
  if (name == "bfs-uniform" || name == "bfs-power") {
    for (const uint16_t degree : search(name == "bfs-power").degree) moments.add(degree);
    return moments.works();
  }
  if (name == "lu") {  // blocks that a step can schedule
    for (uint64_t rest = 1; rest < kBlocks; ++rest) moments.add(static_cast<double>(rest * rest));
    return moments.works();
  }
  const Loop loop = make(name, parameters).loops.front();
  // Kmeans: two operations for each centre; Path: six for a column; Syn: as they are.
  const double each = name == "kmeans"           ? 256
                      : name == "pathfinder"     ? 6
                      : name == "synthetic-long" ? 1e5
                                                 : 2;
  for (uint64_t i = 0; i < loop.trip; ++i) moments.add(loop.units ? loop.units->at(i) : each);
  return moments.works();
}

}  // namespace loops
