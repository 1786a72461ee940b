#include "site/loop_record.hpp"

namespace vicino::site {
namespace {

constinit Chained<LoopRecord, LoopRecord::kMost> records;

}  // namespace

LoopRecord::LoopRecord(const Site& site, std::string_view schedule, uint32_t members,
                       std::size_t words)
    : site_(site),
      schedule_(schedule),
      members_(members),
      count_(words),
      words_(std::make_unique<plat::atomic<uint64_t>[]>(count_)) {}

LoopRecord* LoopRecord::find(Site* site, std::string_view schedule, uint32_t members,
                             std::size_t words) {
  if (site == nullptr) return nullptr;
  return records.find(
      site->records,
      [&](const LoopRecord& r) { return r.schedule_ == schedule && r.members_ == members; },
      [&] { return new LoopRecord(*site, schedule, members, words); });
}

void remember(LazySite& site, const loop::Row& row, loop::Plan& plan) {
  if (row.history_words(plan.members) == 0) return;
  if (LoopRecord* record = LoopRecord::find(site.get(), row, plan.members))
    plan.history = record->history();
}

std::vector<LoopRecord*> LoopRecord::all() {
  std::vector<LoopRecord*> found;
  for (const Site* site : all_sites())
    for_each(site->records, [&](LoopRecord& record) { found.push_back(&record); });
  return found;
}

}  // namespace vicino::site
