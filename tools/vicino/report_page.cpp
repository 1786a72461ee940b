#include "report_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "html.hpp"
#include "report_pictures.hpp"
#include "report_timeline.hpp"
#include "say.hpp"

namespace vicino::cli {
namespace {

constexpr size_t kMostConstructs = 40;
constexpr size_t kMostRegions = 12;
constexpr size_t kMostSteps = 24;  // of the tuner, at one place
constexpr size_t kMostPlaces = 20;
constexpr size_t kMostInMatrix = 64;
constexpr size_t kMostPages = 20;

// What threads do, in the order of a bar: work first, then what kept the thread from it.
constexpr std::array<size_t, kDoings> kShown = {2, 1, 3, 6, 4, 5, 0};

std::string in_words(uint64_t ns) { return time_in_words(static_cast<double>(ns)); }

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }
double ratio(uint64_t part, uint64_t whole) {
  return ratio(static_cast<double>(part), static_cast<double>(whole));
}

class ReportPage {
 public:
  ReportPage(const Summary& summary, const std::vector<Diagnosis>& found)
      : summary_(summary), found_(found), groups_(groups_of(summary)), order_(in_order(groups_)) {}

  std::string text() {
    head();
    notices();
    if (!summary_.threads.empty()) {
      verdict();
      losses();
      others();
      efficiencies();
      threads();
      moments();
      constructs();
      choices();
      steals();
      pages();
    }
    return html_page(
        "Vicino report: " + summary_.file.program,
        "<header>\n" + head_ + contents() + "</header>\n<main>\n" + body_ + "</main>\n");
  }

 private:
  template <typename... T>
  void add(fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(body_), format, std::forward<T>(values)...);
  }
  // Begins a section; the heading is listed at the top.
  void section(std::string_view id, std::string_view title, std::string_view explanation) {
    links_ += fmt::format("<a href=\"#{}\">{}</a>\n", id, title);
    add("<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n<p class=\"note\">{2}</p>\n",
        id, title, explanation);
  }
  void end_section() { add("</section>\n"); }

  std::string contents() const {
    return links_.empty() ? "" : "<nav aria-label=\"Sections\">\n" + links_ + "</nav>\n";
  }

  void head() {
    const std::string cpus = summary_.cpus > 0 ? " on " + several(summary_.cpus, "CPU") : "";
    head_ = fmt::format(
        "<p class=\"kind\">Vicino report</p>\n<h1>{}</h1>\n<ul class=\"facts\">"
        "<li>{}</li><li>{}{}</li><li>{} events</li></ul>\n",
        in_html(summary_.file.program.empty() ? "a program" : summary_.file.program),
        in_words(summary_.end - summary_.begin), several(summary_.team, "thread"), cpus,
        with_commas(summary_.events));
  }

  // What is wrong with the trace itself comes first.
  void notices() {
    std::string said;
    if (summary_.dropped > 0)
      said += fmt::format(
          "<li>{} events were dropped: the program had more than could be written. "
          "Counts and times below are of the others.</li>\n",
          with_commas(summary_.dropped));
    if (summary_.is_full)
      said +=
          "<li>The trace ends before the program: its file has reached the largest size.</li>\n";
    if (summary_.file.is_cut_off)
      said += "<li>The trace is cut off: the program died while it was written.</li>\n";
    if (summary_.threads.empty())
      said +=
          "<li>The trace has no events: the program did not use OpenMP while it was "
          "recorded.</li>\n";
    if (!said.empty())
      add("<ul class=\"notices\" aria-label=\"About the trace\">\n{}</ul>\n", said);
  }

  void verdict() {
    const std::vector<std::string> sentences = verdict_of(summary_, found_);
    add("<section class=\"verdict\" aria-label=\"Verdict\">\n");
    for (size_t i = 0; i < sentences.size(); ++i) {
      std::string sentence = sentences[i];
      std::string command;
      // The last sentence ends with a command, which gets a line of its own.
      if (i + 1 == sentences.size() && !found_.empty() && !found_[0].command.empty() &&
          sentence.ends_with(": " + found_[0].command)) {
        command = found_[0].command;
        sentence.resize(sentence.size() - command.size() - 2);
        sentence += ":";
      }
      add("<p>{}</p>\n", in_html(sentence));
      if (!command.empty()) body_ += command_block(command);
    }
  }

  // Within the verdict.
  void losses() {
    const Lost& lost = summary_.lost;
    const uint64_t all = lost.useful + lost.imbalance + lost.scheduling + lost.serial;
    if (all > 0) {
      const std::vector<BarPart> parts = {
          {ratio(lost.useful, all), doing_style(2), "at work"},
          {ratio(lost.imbalance, all), doing_style(4), "waiting for the slowest thread"},
          {ratio(lost.scheduling, all), doing_style(3), "scheduling"},
          {ratio(lost.serial, all), doing_style(1), "waiting for one that works alone"}};
      std::string label = "All thread time:";
      for (const BarPart& part : parts) label += " " + part.name + " " + percent(part.share) + ";";
      label.pop_back();
      add("<div class=\"whole\">{}\n{}</div>\n", stacked_bar(parts, label), legend(parts, true));
    }
    end_section();
  }

  void others() {
    if (found_.size() < 2) return;
    section("also", "What else",
            "Each costs a tenth of all thread time, or more; where other programs take much, of "
            "what the program would take without them.");
    add("<ol class=\"others\">\n");
    for (size_t i = 1; i < found_.size(); ++i) {
      add("<li>\n<p><b>{}</b> {}.</p>\n<p>{}{}</p>\n",
          percent(found_[i].shown_share()),
          in_html(found_[i].evidence), in_html(found_[i].remedy),
          found_[i].command.empty() ? "." : ":");
      if (!found_[i].command.empty()) body_ += command_block(found_[i].command);
      add("</li>\n");
    }
    add("</ol>\n");
    end_section();
  }

  void efficiency_row(std::string_view where, uint64_t ns, const Lost& lost, bool is_run) {
    const Efficiency its = lost.efficiency();
    const auto cell = [](double share) {
      return fmt::format("<td class=\"share\">{}{}</td>", percent(share), small_bar(share));
    };
    add("<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td>{}{}{}{}</tr>\n", where,
        in_words(ns), cell(its.parallel), cell(its.load_balance), cell(its.scheduling),
        is_run ? cell(its.serialization) : "<td class=\"share\">&#8211;</td>");
  }

  void efficiencies() {
    section("efficiency", "Efficiency",
            "Parallel efficiency is the share of thread time that was work: the product of load "
            "balance, "
            "scheduling and serialization, as POP and TALP count them.");
    std::string rows;
    std::swap(rows, body_);
    efficiency_row("The run", summary_.end - summary_.begin, summary_.lost, true);
    size_t shown = 0, left = 0;
    for (const TracedConstruct& one : summary_.constructs) {
      if (one.kind != "region") continue;
      if (++shown > kMostRegions)
        ++left;
      else
        efficiency_row(fmt::format("region <code>{}</code>", in_html(one.place)), one.lengths.sum,
                       one.lost, false);
    }
    std::swap(rows, body_);
    body_ += scrolling("Efficiency",
                       "<table>\n<caption>Of the run and of its regions, longest first</caption>\n"
                       "<thead><tr><th scope=\"col\">Where</th><th scope=\"col\" "
                       "class=\"number\">Time</th><th scope=\"col\">Parallel "
                       "efficiency</th><th scope=\"col\">Load balance</th><th "
                       "scope=\"col\">Scheduling</th><th scope=\"col\">"
                       "Serialization</th></tr></thead>\n<tbody>\n" +
                           rows + "</tbody></table>");
    if (left > 0)
      add("<p class=\"note\">{} that took less time {} not shown.</p>\n",
          several(static_cast<int>(left), "region"), left == 1 ? "is" : "are");
    end_section();
  }

  double at_work(const TracedThread& thread) const {
    return ratio(thread.ns[static_cast<size_t>(Doing::kUseful)] +
                     thread.ns[static_cast<size_t>(Doing::kSerial)],
                 summary_.end - summary_.begin);
  }

  void machine() {
    add("<div class=\"machine\" role=\"group\" aria-label=\"The machine: how much of the time each "
        "thread was at work\">\n");
    for (size_t i = 0; i < groups_.size();) {
      const std::string& package = groups_[i].package;
      add("<div class=\"package\">{}<div class=\"nodes\">\n",
          package.empty() ? "" : "<h3>" + in_html(package) + "</h3>");
      for (; i < groups_.size() && groups_[i].package == package; ++i) {
        add("<div class=\"node\">{}<ul>\n",
            groups_[i].node.empty() ? "" : "<h4>" + in_html(groups_[i].node) + "</h4>");
        for (const size_t thread : groups_[i].threads) machine_cell(thread);
        add("</ul></div>\n");
      }
      add("</div></div>\n");
    }
    add("</div>\n");
  }

  void machine_cell(size_t index) {
    const TracedThread& thread = summary_.threads[index];
    const double share = std::clamp(at_work(thread), 0.0, 1.0);
    const size_t digit = thread.name.find_first_of("0123456789");
    const std::string number =
        digit == std::string::npos
            ? std::to_string(index)
            : thread.name.substr(digit, thread.name.find_first_not_of("0123456789", digit) - digit);
    add("<li title=\"{0}: {1} at work\"><svg width=\"100%\" height=\"34\" aria-hidden=\"true\">"
        "<rect class=\"track\" width=\"100%\" height=\"34\"/>"
        "<rect class=\"d2\" y=\"{2:.1f}\" width=\"100%\" height=\"{3:.1f}\" "
        "fill-opacity=\"{4:.2f}\"/></svg>"
        "<b>{1}</b><span>{5}</span></li>\n",
        in_html(thread.name), percent(share), 34 * (1 - share), 34 * share, 0.45 + 0.55 * share,
        in_html(number));
  }

  void thread_row(size_t index) {
    const TracedThread& thread = summary_.threads[index];
    const uint64_t all = summary_.end - summary_.begin;
    std::vector<BarPart> parts;
    std::string label = thread.name + ":";
    for (const size_t doing : kShown) {
      const double share = ratio(thread.ns[doing], all);
      parts.push_back({share, doing_style(doing), std::string(kDoingNames[doing])});
      if (share >= 0.005) label += fmt::format(" {} {};", kDoingNames[doing], percent(share));
    }
    const double without = ratio(thread.core_ns, all);
    add("<tr><th scope=\"row\" title=\"{}\">{}</th><td class=\"wide\">{}{}</td><td "
        "class=\"number\">{}</td>"
        "<td class=\"number\">{}</td><td class=\"number\">{}</td><td "
        "class=\"number\">{}</td></tr>\n",
        in_html(thread.name), in_html(short_name(thread)), stacked_bar(parts, label),
        without >= 0.005 ? small_bar(without, "d7") : "", percent(at_work(thread)),
        thread.core_ns > 0 ? in_words(thread.core_ns) : "0", with_commas(thread.tasks),
        with_commas(thread.chunks));
  }

  static std::vector<BarPart> doing_names() {
    std::vector<BarPart> names;
    for (const size_t doing : kShown)
      names.push_back({0, doing_style(doing), std::string(kDoingNames[doing])});
    return names;
  }

  void threads() {
    section("threads", "Threads", "Where each thread ran, and how much of the run it was at work.");
    machine();
    std::vector<BarPart> names = doing_names();
    names.push_back({0, "d7", "ready, but without a core (part of the others)"});
    body_ += legend(names, false);
    std::string rows;
    std::swap(rows, body_);
    for (size_t i = 0; i < std::min(order_.size(), kMostRows); ++i) thread_row(order_[i]);
    std::swap(rows, body_);
    body_ += scrolling("Threads",
                       "<table>\n<caption>What each thread did, from the first event to the "
                       "last</caption>\n<thead><tr>"
                       "<th scope=\"col\">Thread</th><th scope=\"col\">Its time</th><th "
                       "scope=\"col\" class=\"number\">At work</th>"
                       "<th scope=\"col\" class=\"number\">Without a core</th><th scope=\"col\" "
                       "class=\"number\">Tasks</th>"
                       "<th scope=\"col\" class=\"number\">Chunks</th></tr></thead>\n<tbody>\n" +
                           rows + "</tbody></table>");
    more_threads();
    end_section();
  }

  void more_threads() {
    if (order_.size() > kMostRows)
      add("<p class=\"note\">{} more threads are not shown.</p>\n", order_.size() - kMostRows);
  }

  void moments() {
    const std::string picture = timeline(summary_, groups_);
    if (picture.empty()) return;
    section(
        "time", "Timeline",
        "A column is as full as the thread was busy in that time, and what it did lies in layers.");
    body_ += legend(doing_names(), false);
    add("<p class=\"note keys\" hidden>Zoom by <kbd>+</kbd> and <kbd>&#8722;</kbd>, a double "
        "click, or the wheel once "
        "the timeline has been clicked; move by dragging or by arrows; <kbd>0</kbd> shows "
        "all.</p>\n");
    body_ += picture;
    more_threads();
    end_section();
  }

  void construct_row(const TracedConstruct& one, uint64_t largest) {
    const bool has_pieces = one.pieces.count > 0;
    const Lengths& spread = has_pieces ? one.pieces : one.lengths;
    std::string balance = balance_bars(one.by_thread, order_);
    if (one.kind == "region")
      balance += fmt::format("<span class=\"ends\">{}</span>",
                             percent(one.lost.efficiency().load_balance));
    add("<tr><th scope=\"row\"><span class=\"construct\">{}</span> <code>{}</code>{}</th><td "
        "class=\"share\">{}{}</td>"
        "<td class=\"number\">{}</td><td class=\"number\">{}</td><td "
        "class=\"number\">{}</td><td>{}</td><td>{}</td></tr>\n",
        in_html(one.kind), in_html(one.place),
        one.lock_ns > 0
            ? fmt::format("<span class=\"ends\">waited {} for a lock</span>", in_words(one.lock_ns))
            : "",
        in_words(one.lengths.sum), small_bar(ratio(one.lengths.sum, largest)),
        with_commas(one.executions), time_in_words(one.lengths.mean()),
        has_pieces ? with_commas(one.pieces.count) : "", histogram(spread), balance);
  }

  void constructs() {
    if (summary_.constructs.empty()) return;
    section("work", "Regions, loops and tasks",
            "Most time first. A region lasts from fork to join; of other constructs each thread's "
            "time counts. Spans "
            "lie within one another, so their sum says nothing. Distributions are of chunks where "
            "there are chunks; "
            "both of their axes are logarithmic.");
    const size_t shown = std::min(summary_.constructs.size(), kMostConstructs);
    const uint64_t largest = summary_.constructs[0].lengths.sum;
    std::string rows;
    std::swap(rows, body_);
    for (size_t i = 0; i < shown; ++i) construct_row(summary_.constructs[i], largest);
    std::swap(rows, body_);
    body_ += scrolling("Regions, loops and tasks",
                       "<table>\n<caption>Constructs by what they took "
                       "together</caption>\n<thead><tr><th scope=\"col\">Where"
                       "</th><th scope=\"col\">Together</th><th scope=\"col\" "
                       "class=\"number\">Times</th><th scope=\"col\" "
                       "class=\"number\">Mean</th><th scope=\"col\" "
                       "class=\"number\">Chunks</th><th scope=\"col\">How long"
                       "</th><th scope=\"col\">Work by thread</th></tr></thead>\n<tbody>\n" +
                           rows + "</tbody></table>");
    if (summary_.constructs.size() > shown)
      add("<p class=\"note\">{} more took less time each; <code>--json</code> has all.</p>\n",
          summary_.constructs.size() - shown);
    end_section();
  }

  // What was chosen for one place, in a row; the same choice again is no step.
  void path_of(const std::string& place, const std::vector<const TracedChoice*>& choices) {
    add("<tr><th scope=\"row\"><code>{}</code></th><td><ol class=\"path\">", in_html(place));
    size_t steps = 0, left = 0;
    const TracedChoice* last = nullptr;
    for (const TracedChoice* one : choices) {
      if (last != nullptr && last->schedule == one->schedule && last->threads == one->threads)
        continue;
      last = one;
      if (++steps > kMostSteps) {
        ++left;
        continue;
      }
      add("<li><b>{}</b> {} <span class=\"ends\">at {}</span></li>", in_html(one->schedule),
          several(static_cast<int>(one->threads), "thread"), in_words(one->ns));
    }
    if (left > 0) add("<li>{} more, the last <b>{}</b></li>", left, in_html(last->schedule));
    add("</ol></td></tr>\n");
  }

  void choices() {
    if (summary_.choices.empty()) return;
    section("tuner", "The tuner's choices",
            "What Vicino chose for each loop or region, and when, since the run began.");
    std::vector<std::string_view> places;
    std::map<std::string_view, std::vector<const TracedChoice*>> by_place;
    for (const TracedChoice& one : summary_.choices) {
      auto& its = by_place[one.place];
      if (its.empty()) places.push_back(one.place);
      its.push_back(&one);
    }
    std::string rows;
    std::swap(rows, body_);
    for (size_t i = 0; i < std::min(places.size(), kMostPlaces); ++i)
      path_of(std::string(places[i]), by_place[places[i]]);
    std::swap(rows, body_);
    body_ += scrolling("The tuner's choices",
                       "<table>\n<caption>Choices by place, first to "
                       "last</caption>\n<thead><tr><th scope=\"col\">Where</th>"
                       "<th scope=\"col\">Choices</th></tr></thead>\n<tbody>\n" +
                           rows + "</tbody></table>");
    if (places.size() > kMostPlaces)
      add("<p class=\"note\">{} more places are in <code>--json</code>.</p>\n",
          places.size() - kMostPlaces);
    end_section();
  }

  void steals() {
    if (summary_.steals_by_distance.empty()) return;
    section("steals", "Stolen tasks",
            "Tasks that a thread took from another one, and how far from each other both are.");
    uint64_t all = 0;
    for (const auto& [distance, count] : summary_.steals_by_distance) all += count;
    add("<div class=\"beside\">\n<table>\n<caption>By distance</caption>\n<tbody>\n");
    for (const std::string_view distance :
         {"cache_group", "node", "package", "machine", "unbound"}) {
      const auto found = summary_.steals_by_distance.find(std::string(distance));
      if (found == summary_.steals_by_distance.end()) continue;
      add("<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td><td "
          "class=\"share\">{}{}</td></tr>\n",
          distance_name(distance), with_commas(found->second), percent(ratio(found->second, all)),
          small_bar(ratio(found->second, all)));
    }
    add("</tbody></table>\n");
    if (!summary_.steals.empty()) steal_matrix();
    add("</div>\n");
    end_section();
  }

  static std::string_view distance_name(std::string_view distance) {
    return distance == "cache_group" ? "same cache"
           : distance == "node"      ? "same node"
           : distance == "package"   ? "same package"
           : distance == "machine"   ? "another package"
                                     : "not known";
  }

  // Numbers while there is room for them, then squares.
  void steal_matrix() {
    constexpr size_t kMostNumbers = 8;
    if (order_.size() > kMostInMatrix) {
      add("<p class=\"note\">The matrix is left out: there are more than {} threads.</p>\n",
          kMostInMatrix);
      return;
    }
    if (order_.size() > kMostNumbers) {
      add("<figure>{}<figcaption>Rows took from columns; threads in the order "
          "above</figcaption></figure>\n",
          steal_squares(summary_, order_));
      return;
    }
    std::string table =
        "<table class=\"matrix\">\n<caption>Rows took from columns</caption>\n<thead><tr><td></td>";
    for (const size_t victim : order_)
      table += fmt::format("<th scope=\"col\" class=\"number\">{}</th>",
                           in_html(name_and_number(victim)));
    table += "</tr></thead>\n<tbody>\n";
    for (const size_t thief : order_) {
      table += fmt::format("<tr><th scope=\"row\">{}</th>", in_html(name_and_number(thief)));
      for (const size_t victim : order_) {
        const auto found = summary_.steals.find({thief, victim});
        table += fmt::format("<td class=\"number\">{}</td>", found != summary_.steals.end()
                                                                 ? with_commas(found->second)
                                                             : thief == victim ? ""
                                                                               : "0");
      }
      table += "</tr>\n";
    }
    body_ += scrolling("Steals by thread", table + "</tbody></table>");
  }

  // "worker 3"
  std::string name_and_number(size_t thread) const {
    const std::string name = short_name(summary_.threads[thread]);
    return name.substr(0, name.find(','));
  }

  void pages() {
    const std::string memory = memory_in_words(summary_);
    if (summary_.pages.empty() && memory.empty()) return;
    section("pages", "Pages", "Where memory lay, and what Vicino moved, and why.");
    if (!memory.empty()) add("<p>{}.</p>\n", in_html(memory));
    if (summary_.pages.empty()) return end_section();
    add("<ul>\n");
    for (size_t i = 0; i < std::min(summary_.pages.size(), kMostPages); ++i)
      add("<li>{}</li>\n", in_html(summary_.pages[i]));
    add("</ul>\n");
    if (summary_.pages.size() > kMostPages)
      add("<p class=\"note\">{} more are in <code>--json</code>.</p>\n",
          summary_.pages.size() - kMostPages);
    end_section();
  }

  const Summary& summary_;
  const std::vector<Diagnosis>& found_;
  const std::vector<ThreadGroup> groups_;
  const std::vector<size_t> order_;
  std::string head_, links_, body_;
};

}  // namespace

std::string report_page(const Summary& summary, const std::vector<Diagnosis>& found) {
  return ReportPage(summary, found).text();
}

}  // namespace vicino::cli
