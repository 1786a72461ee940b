// report_pictures.hpp: the small pictures of a report's page, as SVG.
//
// Why    SVG in the page needs no JavaScript and follows the page's colours. What a colour says is said by a pattern,
//        a label or a number, too. Bars' parts are given in percent, so that a pattern keeps its shape at any width.
#pragma once

#include <span>
#include <string>

#include "trace_summary.hpp"

namespace vicino::cli {

// Of a thread's kind of time, or of a loss: how large, which style (page.css), and its name.
struct BarPart {
  double share;
  std::string style;
  std::string name;
};
std::string doing_style(size_t doing);  // "d2"

// One bar of several parts. `label` is what a screen reader says.
std::string stacked_bar(std::span<const BarPart> parts, std::string_view label);

// The names of parts with their colours; shares behind them if `with_shares`.
std::string legend(std::span<const BarPart> parts, bool with_shares);

// A bar below a number.
std::string small_bar(double share, std::string_view style = "d2");

// A bar for each thread, the largest as high as the picture. `order`: which threads, from the left.
std::string balance_bars(const std::vector<uint64_t>& by_thread, std::span<const size_t> order);

// How many were how long, on logarithmic axes.
std::string histogram(const Lengths& spread);

// Coloured squares: who took how many tasks from whom. `order` is that of rows and columns.
std::string steal_squares(const Summary& summary, std::span<const size_t> order);

}  // namespace vicino::cli
