#include "topo_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "files.hpp"
#include "say.hpp"
#include "topo/binding.hpp"
#include "topo/describe.hpp"
#include "topo/near.hpp"

namespace vicino::cli {
namespace {

using topo::Domain;
using topo::Level;
using topo::Machine;

// In pixels.
constexpr double kPad = 6, kGap = 6, kLine = 16, kCpuWidth = 46, kCpuHeight = 20;
constexpr double kChip = 18, kAbove = 2;  // a thread's circle and its gap
constexpr double kLetter = 6.6;           // of the labels' font, at most

// What is drawn of a domain, and what lies in it. Places are relative to the box around it.
struct Box {
  Level level = Level::kMachine;
  int index = 0;
  std::string label{}, title{};
  std::vector<Box> inside{};
  std::vector<int> threads{};  // of the team
  double x = 0, y = 0, width = 0, height = 0;
  int chips_in_row = 1;
};

std::string gib(uint64_t bytes) {
  return fmt::format("{:.3g} GiB", static_cast<double>(bytes) / (uint64_t{1} << 30));
}

class Picture {
 public:
  Picture(const Machine& machine, const std::vector<CpuSet>& team) : machine_(machine) {
    root_ = box_of(Level::kMachine, 0);
    for (size_t i = 0; i < team.size(); ++i) place(root_, team[i], static_cast<int>(i));
    arrange(root_);
  }

  std::string draw() {
    const std::string name = machine_.name().empty() ? "a machine" : machine_.name();
    const std::vector<std::string> notes = notes_below();
    double width = root_.width;
    for (const std::string& note : notes)
      width = std::max(width, static_cast<double>(note.size()) * kLetter);
    width = std::ceil(width + 2 * kPad);
    const double height =
        std::ceil(root_.height + 2 * kPad + kLine * static_cast<double>(notes.size()));
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"title "
        "description\" width=\"{0}\" "
        "height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n<title id=\"title\">{2}</title>\n<desc "
        "id=\"description\">{3}</desc>\n{4}",
        width, height, in_xml(name), in_xml(topo::counts_of(machine_)), kStyle);
    draw(root_, kPad, kPad);
    double line = root_.height + 2 * kPad;
    for (const std::string& note : notes)
      text_ += fmt::format("<text x=\"{}\" y=\"{:.1f}\">{}</text>\n", kPad, line += kLine - 4,
                           in_xml(note));
    return text_ + "</svg>\n";
  }

 private:
  static constexpr const char* kStyle =
      "<style>\n"
      "text { font: 11px sans-serif; fill: #1a1a1a; }\n"
      ".middle { text-anchor: middle; }\n"
      "rect { fill: #ffffff; stroke: #6b7280; }\n"
      "rect.package { fill: #eef1f6; } rect.node { fill: #dfe7f3; } rect.cache-group { fill: "
      "#cfdcef; }\n"
      "rect.core { fill: #e9eef7; }\n"
      "circle { fill: #b45309; } circle + text { fill: #ffffff; font-size: 9px; }\n"
      "@media (prefers-color-scheme: dark) {\n"
      "svg { background: #16181d; }\n"
      "text { fill: #e8eaed; }\n"
      "rect { fill: #16181d; stroke: #8b93a1; }\n"
      "rect.package { fill: #20242c; } rect.node { fill: #273040; } rect.cache-group { fill: "
      "#2f3d55; }\n"
      "rect.core { fill: #242b38; }\n"
      "circle { fill: #f59e0b; } circle + text { fill: #16181d; }\n"
      "}\n"
      "</style>\n";

  const Domain& domain(const Box& box) const {
    return machine_.domains(box.level)[static_cast<size_t>(box.index)];
  }

  Box box_of(Level level, int index) const {
    Box box{.level = level, .index = index};
    const Domain& its = domain(box);
    const std::string cpus =
        fmt::format("CPU{} {}", its.cpus.count() == 1 ? "" : "s", its.cpus.to_list());
    const std::string number =
        std::to_string(level == Level::kNode && its.os_index >= 0 ? its.os_index : index);
    switch (level) {
      case Level::kMachine:
        box.label = machine_.name().empty() ? "a machine" : machine_.name();
        break;
      case Level::kThread:
        box.label = its.cpus.to_list();
        break;
      case Level::kCore:
        break;  // its CPUs tell which it is
      default:
        box.label = fmt::format("{} {}", level_name(level), number);
    }
    box.title = level == Level::kThread ? cpus
                : level == Level::kMachine
                    ? fmt::format("{}: {}", box.label, cpus)
                    : fmt::format("{} {}: {}", level_name(level), number, cpus);
    if (level == Level::kNode)
      for (const topo::Memory& memory : machine_.memories())
        if (memory.node == index && memory.os_index == its.os_index)
          box.label += ", " + gib(memory.bytes);
    for (int inner = 0; inner < topo::kLevels; ++inner) {
      const auto domains = machine_.domains(static_cast<Level>(inner));
      for (size_t i = 0; i < domains.size(); ++i)
        if (static_cast<Level>(inner) != level && domains[i].parent_level == level &&
            is_child(domains[i], index))
          box.inside.push_back(box_of(static_cast<Level>(inner), static_cast<int>(i)));
    }
    std::ranges::sort(box.inside, {}, [&](const Box& each) { return domain(each).cpus.first(); });
    // A core of one CPU says no more than the CPU.
    if (level == Level::kCore && box.inside.size() == 1) return std::move(box.inside[0]);
    return box;
  }

  static bool is_child(const Domain& domain, int index) {
    return domain.parent == index ||
           (domain.parent == -1 && domain.parent_level == Level::kMachine && index == 0);
  }

  void place(Box& box, const CpuSet& cpus, int thread) {
    for (Box& each : box.inside)
      if (domain(each).cpus.contains(cpus)) return place(each, cpus, thread);
    box.threads.push_back(thread);
  }

  // Rows of boxes, as many in each as make the whole about one and a half times as wide as it is high.
  void arrange(Box& box) const {
    for (Box& each : box.inside) arrange(each);
    double widest = 0, highest = 0;
    for (const Box& each : box.inside) {
      widest = std::max(widest, each.width);
      highest = std::max(highest, each.height);
    }
    const auto count = static_cast<double>(box.inside.size());
    const auto columns = static_cast<size_t>(
        std::clamp(std::ceil(std::sqrt(1.5 * count * (highest + kGap) / (widest + kGap))), 1.0,
                   std::max(1.0, count)));
    const bool is_leaf = box.inside.empty();
    const double top = box.label.empty() ? kPad : is_leaf ? kCpuHeight : kPad + kLine;
    double x = kPad, y = top, right = 0, below = 0;
    for (size_t i = 0; i < box.inside.size(); ++i) {
      if (i > 0 && i % columns == 0) {
        x = kPad;
        y = below + kGap;
      }
      Box& each = box.inside[i];
      each.x = x;
      each.y = y;
      x += each.width + kGap;
      right = std::max(right, each.x + each.width);
      below = std::max(below, each.y + each.height);
    }
    if (is_leaf) {
      right = kCpuWidth - kPad;
      below = kCpuHeight;
    }
    right = std::max(right, kPad + kLetter * static_cast<double>(box.label.size()));
    box.width = right + kPad;
    const auto threads = static_cast<int>(box.threads.size());
    box.chips_in_row = std::max(1, static_cast<int>((right - kPad + 2) / kChip));
    const int rows = (threads + box.chips_in_row - 1) / box.chips_in_row;
    box.height = below + (rows > 0 ? kAbove + kChip * rows : 0) + (is_leaf && rows == 0 ? 0 : kPad);
  }

  void draw(const Box& box, double left, double top) {
    std::string name(level_name(box.level));
    std::ranges::replace(name, ' ', '-');
    if (box.level == Level::kThread) name = "cpu";
    const double x = left + box.x, y = top + box.y;
    text_ += fmt::format(
        "<g><title>{}</title><rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
        "height=\"{:.1f}\" rx=\"3\"/>",
        in_xml(box.title), name, x, y, box.width, box.height);
    const bool is_leaf = box.inside.empty();
    if (!box.label.empty())
      text_ += fmt::format(
          "<text{} x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", is_leaf ? " class=\"middle\"" : "",
          is_leaf ? x + box.width / 2 : x + kPad, y + (is_leaf ? 14 : kLine), in_xml(box.label));
    text_ += "\n";
    for (const Box& each : box.inside) draw(each, x, y);
    const auto threads = static_cast<int>(box.threads.size());
    const int rows = (threads + box.chips_in_row - 1) / box.chips_in_row;
    const double first = y + box.height - kPad - kChip * rows + kChip / 2 + 2;
    for (int i = 0; i < threads; ++i) {
      const double at = x + kPad + kChip * (i % box.chips_in_row) + kChip / 2 - 1;
      const double line = first + kChip * (i / box.chips_in_row);
      text_ += fmt::format(
          "<g><title>thread {0} may run on the CPUs of this box</title><circle cx=\"{1:.1f}\" "
          "cy=\"{2:.1f}\" r=\"8\"/>"
          "<text class=\"middle\" x=\"{1:.1f}\" y=\"{3:.1f}\">{0}</text></g>\n",
          box.threads[static_cast<size_t>(i)], at, line, line + 3);
    }
    text_ += "</g>\n";
  }

  std::vector<std::string> notes_below() const {
    std::vector<std::string> notes = {
        topo::counts_of(machine_),
        fmt::format("circles: the threads of a default team ({}: {}), each in "
                    "the box in which it may run",
                    machine_.default_team_size(), machine_.default_team_reason())};
    for (const topo::Memory& memory : machine_.memories())
      if (memory.node < 0 ||
          machine_.domains(Level::kNode)[static_cast<size_t>(memory.node)].os_index !=
              memory.os_index)
        notes.push_back(fmt::format("node {} has memory and none of these CPUs: {}{}",
                                    memory.os_index, gib(memory.bytes),
                                    memory.sort.empty() ? "" : " of " + memory.sort));
    if (const CpuSet others = machine_.online() - machine_.cpus(); !others.empty())
      notes.push_back(fmt::format("CPUs {} may not be used", others.to_list()));
    return notes;
  }

  const Machine& machine_;
  Box root_;
  std::string text_;
};

}  // namespace

std::vector<CpuSet> cpus_of_team(const Machine& machine, const topo::PlaceList& places,
                                 const std::vector<topo::Bind>& bind) {
  const int size = machine.default_team_size();
  std::vector<CpuSet> team;
  if (!bind.empty() && topo::to_places(bind[0])) {
    for (const topo::PlacedThread& each : topo::assign_places(bind[0], {0, places.size()}, 0, size))
      team.push_back(each.place < 0 ? machine.cpus() : places[each.place]);
    return team;
  }
  const Level level = machine.near_level();
  if (!bind.empty() || machine.count(level) < 2)
    return std::vector(static_cast<size_t>(size), machine.cpus());
  for (const int each : topo::domains_near(machine, level, machine.cpus(), 0, size))
    team.push_back(topo::cpus_near(machine, level, each, machine.cpus()));
  return team;
}

std::string machine_as_svg(const Machine& machine, const std::vector<CpuSet>& team) {
  return Picture(machine, team).draw();
}

}  // namespace vicino::cli
