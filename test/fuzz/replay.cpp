// replay.cpp: runs a fuzz target on the files of its corpus, in builds without libFuzzer.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "target.hpp"

int main(int argc, char** argv) {
  size_t replayed = 0;
  for (int i = 1; i < argc; ++i) {
    std::vector<std::filesystem::path> files;
    for (const auto& file : std::filesystem::directory_iterator(argv[i]))
      files.push_back(file.path());
    std::ranges::sort(files);
    for (const auto& path : files) {
      fprintf(stderr, "%s\n", path.c_str());
      std::ifstream file(path, std::ios::binary);
      const std::string bytes(std::istreambuf_iterator<char>(file), {});
      LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
      ++replayed;
    }
  }
  printf("%zu inputs\n", replayed);
  return replayed == 0;  // a corpus that is not found must not pass
}
