#include "region/forall.hpp"

#include "base/say.hpp"
#include "config/selection.hpp"
#include "config/text.hpp"
#include "loop/canonical.hpp"
#include "loop/static_fraction.hpp"
#include "site/code.hpp"
#include "site/counts.hpp"
#include "site/loop_record.hpp"
#include "team/worker.hpp"

namespace vicino::region {
namespace {

using loop::StaticFraction;

thread_local constinit ForallSite* here = nullptr;
thread_local constinit ForallPrediction* asked_before = nullptr;

// The program's text as the preprocessor made it a string: if the program wrote "mixed,chunk=8",
// the quotation marks are in it, and are removed here.
std::string_view bare(std::string_view text) noexcept {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    return text.substr(1, text.size() - 2);
  return text;
}

// Whether a strategy's text gives a fraction, besides the one in the argument. It may say how f is
// learned (model, previous, slack). Strategies without f choose fractions of their own.
bool says_fraction(const loop::Selection& selection) noexcept {
  const double f = StaticFraction::setting_of(selection.values);
  return has_fraction(*selection.row) && f != StaticFraction::kModel &&
         f != StaticFraction::kPrevious && f != StaticFraction::kSlack;
}

const loop::Selection* parse(const ForallSite& site) {
  const auto selection = config::parse_selection(bare(site.strategy));
  if (!selection) die("FORALL_BEGIN at %s: %s", place_of(site).c_str(), selection.error().c_str());
  if (says_fraction(*selection))
    die("FORALL_BEGIN at %s: the static fraction is its last argument; in the strategy '%s', f= is "
        "model, previous, slack or left out",
        place_of(site).c_str(), config::printable(bare(site.strategy)).c_str());
  return loop::keep(*selection);
}

const loop::Selection& schedule_of(ForallSite& site) {
  const loop::Selection* known = site.schedule.load(std::memory_order_acquire);  // M1
  if (known == nullptr) {
    known = parse(site);
    site.schedule.store(known, std::memory_order_release);  // M1
  }
  return *known;
}

void note_learned(const Member& member, ForallSite& site, const LoopRequest& request) {
  const loop::Row& row = *request.asked.named->row;
  if (!has_fraction(row) || member.team->size == 1) return;
  site::LoopRecord* learned =
      site::LoopRecord::find(site::at(request.site), row, static_cast<uint32_t>(member.team->size));
  if (site.learned.load(std::memory_order_relaxed) != learned)
    site.learned.store(learned, std::memory_order_release);  // M2
}

void note_asked(ForallSite& site) noexcept {
  here = nullptr;
  if (asked_before == nullptr) return;
  asked_before->site.store(&site, std::memory_order_release);  // M3
  asked_before = nullptr;
}

}  // namespace

std::string place_of(const ForallSite& site) { return site::describe({&site, site.source}); }

void approach_forall(ForallSite& site) noexcept { here = &site; }

void begin_forall(Member& member, ForallSite& site, const Forall& forall) {
  note_asked(site);
  const loop::Selection& selection = schedule_of(site);
  if (!(forall.f >= 0 && forall.f <= 1))
    die("FORALL_BEGIN at %s: a static fraction of %g is not from 0 to 1", place_of(site).c_str(),
        forall.f);
  const LoopRequest request{.asked = {.kind = loop::ScheduleKind::kNamed,
                                      .by = SaidBy::kCode,
                                      .chunk = selection.chunk,
                                      .named = &selection,
                                      .fraction = forall.f},
                            .site = {&site, site.source}};
  begin_loop(member, loop::Canonical<int64_t>::exclusive(forall.lo, forall.hi, 1).bounds(),
             request);
  note_learned(member, site, request);
}

double predict_static_fraction(ForallPrediction& asked) noexcept {
  ForallSite* site = here;
  if (site == nullptr) {
    asked_before = &asked;
    site = asked.site.load(std::memory_order_acquire);  // M3
  }
  if (site == nullptr) return StaticFraction::kFirst;
  site::LoopRecord* learned = site->learned.load(std::memory_order_acquire);  // M2
  if (learned == nullptr) return StaticFraction::kFirst;
  const loop::Selection* selection = site->schedule.load(std::memory_order_acquire);  // M1
  return StaticFraction::predicted(learned->history().first(StaticFraction::kWords),
                                   StaticFraction::setting_of(selection->values));
}

}  // namespace vicino::region
