#include "inputs.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "kernels.hpp"

namespace bench::locality {
namespace {

constexpr uint64_t kMagic = 0x56694C6F63000001;
constexpr size_t kVerticesPerCpu = 64;

[[noreturn]] void fail(const std::string& file, const char* why) {
  std::fprintf(stderr, "locality: %s: %s\n", file.c_str(), why);
  std::exit(1);
}

template <class T>
void write(std::ostream& out, const std::vector<T>& values) {
  const uint64_t count = values.size();
  out.write(reinterpret_cast<const char*>(&count), sizeof count);
  out.write(reinterpret_cast<const char*>(values.data()),
            static_cast<std::streamsize>(count * sizeof(T)));
}

template <class T>
void read(std::istream& in, std::vector<T>& values) {
  uint64_t count = 0;
  in.read(reinterpret_cast<char*>(&count), sizeof count);
  if (!in || count > (uint64_t{1} << 30)) return in.setstate(std::ios::failbit);
  values.resize(count);
  in.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(count * sizeof(T)));
}

int log2_at_least(size_t n) {
  int bits = 0;
  while (size_t{1} << bits < n) ++bits;
  return bits;
}

}  // namespace

Inputs Inputs::make(int cpus) {
  const int bits = log2_at_least(kVerticesPerCpu * static_cast<size_t>(cpus));
  const size_t vertices = size_t{1} << bits;
  const auto edges = triangles::make_edges(bits);
  Inputs inputs{cpus, triangles::orient(edges, triangles::rank_by_degree(edges, vertices)), {}};
  for (const Row& row : kernels()) {
    const auto kernel = row.make(inputs, row.chunk);
    kernel->initialise(Init::kSerial);
    kernel->run(Form::kSerial);
    inputs.answers.push_back(kernel->answer());
  }
  // Triangles are the last kernel.
  const auto other = triangles::orient(edges, triangles::rank_downwards(vertices));
  inputs.answers.back() = static_cast<uint64_t>(triangles::count_by_marking(other));
  return inputs;
}

void Inputs::save(const std::string& file) const {
  std::ofstream out(file, std::ios::binary);
  write(out, std::vector<uint64_t>{kMagic, static_cast<uint64_t>(cpus)});
  write(out, graph.first);
  write(out, graph.to);
  write(out, answers);
  if (!out.flush()) fail(file, "cannot be written");
}

Inputs Inputs::load(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) fail(file, "cannot be read");
  Inputs inputs;
  std::vector<uint64_t> head;
  read(in, head);
  if (!in || head.size() != 2 || head[0] != kMagic) fail(file, "not written by --prepare");
  inputs.cpus = static_cast<int>(head[1]);
  read(in, inputs.graph.first);
  read(in, inputs.graph.to);
  read(in, inputs.answers);
  if (!in || inputs.answers.size() != kernels().size()) fail(file, "incomplete");
  return inputs;
}

}  // namespace bench::locality
