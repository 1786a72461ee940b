// pages_kernel.hpp: a kernel whose memory a test lays out.
#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "pages/arrays.hpp"
#include "pages/kernel.hpp"
#include "topo/pages.hpp"

namespace vicino::pages {

class FakeKernel : public Kernel {
 public:
  static constexpr size_t kPage = 4096;

  uint64_t faults() override { return faults_; }
  uint64_t resident() override { return node_of_.size() * kPage; }
  std::vector<topo::Mapping> mappings() override {
    ++scans;
    return mappings_;
  }
  bool read(uintptr_t at, std::span<uintptr_t> words) override {
    ++reads;
    for (uintptr_t& word : words) {
      const auto mapped = std::ranges::find_if(
          mappings_, [at](const topo::Mapping& m) { return m.begin <= at && at < m.end; });
      if (mapped == mappings_.end() || !mapped->is_readable) return false;
      const auto found = words_.find(at);
      word = found == words_.end() ? 0 : found->second;
      at += sizeof word;
    }
    return true;
  }
  bool nodes_of(std::span<const uintptr_t> pages, std::span<int> nodes) override {
    if (refuses) return false;
    for (size_t i = 0; i < pages.size(); ++i) {
      const auto found = node_of_.find(pages[i] / kPage);
      nodes[i] = found == node_of_.end() ? -1 : found->second;
    }
    return true;
  }
  bool is_claimed(uintptr_t at) override { return at >= claimed.begin && at < claimed.end; }

  void map(uintptr_t begin, uintptr_t bytes, bool is_own = true) {
    mappings_.push_back({begin, begin + bytes, true, is_own});
    std::ranges::sort(mappings_, {}, &topo::Mapping::begin);
  }
  void unmap(uintptr_t begin) {
    const auto at = std::ranges::find(mappings_, begin, &topo::Mapping::begin);
    for (uintptr_t page = at->begin; page < at->end; page += kPage) node_of_.erase(page / kPage);
    mappings_.erase(at);
  }
  void touch(uintptr_t begin, uintptr_t bytes, int node) {
    for (uintptr_t at = begin; at < begin + bytes; at += kPage)
      faults_ += node_of_.emplace(at / kPage, node).second;
  }
  void write(uintptr_t at, std::initializer_list<uintptr_t> words) {
    for (const uintptr_t word : words) words_[at] = word, at += sizeof word;
  }
  void move(std::span<const topo::PageRun> runs) {
    for (const topo::PageRun& run : runs)
      for (uintptr_t at = run.begin; at < run.end; at += kPage)
        if (const auto found = node_of_.find(at / kPage); found != node_of_.end())
          found->second = run.node;
  }
  // -1: the page is not there.
  int node_of(uintptr_t at) const {
    const auto found = node_of_.find(at / kPage);
    return found == node_of_.end() ? -1 : found->second;
  }
  int on(int node) const {
    return static_cast<int>(
        std::ranges::count_if(node_of_, [node](const auto& page) { return page.second == node; }));
  }

  bool refuses = false;
  Array claimed{0, 0};  // memory for which the program has said where it is to lie
  int reads = 0;
  uint64_t scans = 0;

 private:
  uint64_t faults_ = 0;
  std::vector<topo::Mapping> mappings_;
  std::map<uintptr_t, int> node_of_;
  std::map<uintptr_t, uintptr_t> words_;
};

}  // namespace vicino::pages
