// schedulers.hpp: every loop schedule. To add one, write its file, its place in this list, and its
// page in docs/design.
#pragma once

#include <tuple>

#include "loop/dynamic.hpp"
#include "loop/dynamic_shared.hpp"
#include "loop/factoring.hpp"
#include "loop/fixed_size.hpp"
#include "loop/guided.hpp"
#include "loop/hierarchical.hpp"
#include "loop/ich.hpp"
#include "loop/mixed.hpp"
#include "loop/mixed_variable.hpp"
#include "loop/nich.hpp"
#include "loop/staggered.hpp"
#include "loop/static_block.hpp"
#include "loop/static_chunked.hpp"
#include "loop/steal.hpp"
#include "loop/trapezoid.hpp"
#include "loop/vsched.hpp"
#include "loop/weighted.hpp"

namespace vicino::loop {

using Schedulers = std::tuple<StaticBlock, StaticChunked, Dynamic, DynamicShared, Guided, Trapezoid,
                              Factoring, FixedSize, Steal, Ich, Nich, Hierarchical, Mixed,
                              MixedVariable, Staggered, Vsched, Weighted>;

}  // namespace vicino::loop
