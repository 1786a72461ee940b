#include "plan.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "nowait.hpp"

namespace vicino::convert {
namespace {

bool is_off(const View& view, size_t offset) {
  return std::ranges::any_of(view.off, [&](const Range& range) { return range.holds(offset); });
}

constexpr const char* kOff = "it is in code that an #if leaves out";

std::string shown_path(const std::string& path) {
  std::error_code error;
  const std::string near = std::filesystem::proximate(path, error).string();
  return error || near.starts_with("..") ? path : near;
}

class Planner {
 public:
  Planner(const Ties& ties, const Wish& wish) : ties_(ties), wish_(wish) {}

  void add(const View& view, const std::string* shown) {
    FilePlan& file = plan_[view.path];
    if (file.shown.empty()) {
      file.shown = shown != nullptr ? *shown : shown_path(view.path);
      file.text = view.text;
    }
    for (const Directive& loop : view.directives.all) {
      if (!loop.is_loop() || !is_wanted(loop, wish_)) continue;
      if (shown == nullptr && is_off(view, loop.begin)) continue;
      auto& off = off_[view.path];
      if (is_off(view, loop.begin)) {
        off.insert(loop.begin);
      } else if (const auto reason = why_not(view, loop, shown != nullptr)) {
        file.refused.try_emplace(loop.begin, *reason);
      } else {
        file.edits.try_emplace(loop.begin, rewrite(view.text, loop, wish_));
      }
    }
    if (shown == nullptr) return;
    for (const Unreachable& loop : view.directives.unreachable)
      file.refused.try_emplace(loop.begin, is_off(view, loop.begin) ? kOff : loop.reason);
  }

  Plan finish() {
    for (auto& [path, file] : plan_) {
      for (const size_t loop : off_[path])
        if (!file.edits.contains(loop)) file.refused.try_emplace(loop, kOff);
      for (const auto& [loop, reason] : file.refused) file.edits.erase(loop);
    }
    return std::move(plan_);
  }

 private:
  std::optional<std::string> why_not(const View& view, const Directive& loop, bool named) const {
    if (view.system) return "it is in a system header";
    if (!named) return "it is in a file that was not named";
    if (auto reason = refusal(view, loop, wish_)) return reason;
    const Node* node = node_of(view, loop);
    if (node == nullptr) return "its loop is not found in this file";
    if (const auto tie = ties_.find({view.path, loop.begin}); tie != ties_.end())
      return tie->second;
    return refusal_by_region(view, loop, *node, wish_);
  }

  const Ties& ties_;
  Wish wish_;
  Plan plan_;
  std::map<std::string, std::set<size_t>> off_;
};

}  // namespace

std::vector<Edit> FilePlan::all_edits() const {
  std::vector<Edit> all;
  for (const auto& [loop, own] : edits) all.insert(all.end(), own.begin(), own.end());
  std::ranges::sort(all);
  return all;
}

Plan make_plan(const std::vector<Unit>& units, const std::map<std::string, std::string>& named,
               const Wish& wish) {
  const Ties ties = find_ties(units);
  Planner planner(ties, wish);
  for (const Unit& unit : units)
    for (const auto& view : unit.views) {
      const auto own = named.find(view->path);
      planner.add(*view, own == named.end() ? nullptr : &own->second);
    }
  return planner.finish();
}

}  // namespace vicino::convert
