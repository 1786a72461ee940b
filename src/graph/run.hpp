// run.hpp: a graph is run by several runners, each a thread of a team.
//
// Why    An aggregate may be as short as 50 ns. So a runner keeps the first aggregate that it
//        releases, and puts only further ones where others find them; it counts what it has done by
//        itself and tells the others when it runs dry.
// Rule   A container per memory node. It consists of its runners' deques, of which each has one end
//        for its owner and one for thieves, and of an inbox for what runners of other nodes release.
//        An aggregate with a node goes to the container of that node; in a graph in which some have a
//        node, the others go to the nodes in turn; where none has one, they stay with the runner that
//        released them. A strict aggregate is run by runners of its node alone, a flexible one by others when they
//        find nothing in their own container: of the nearest nodes first.
// Cost   an edge: a fetch-and-subtract, or nothing if it is the only one that leads to its aggregate.
//        An aggregate: a push and a pop of a deque, or nothing if its runner keeps it. No memory is
//        taken while the graph runs, but when a deque grows.
// Source Nas (papers/taggre-nas, section VI), whose container is one structure that allows several
//        operations at a time, and leaves open which.
//
// Invariants
//  R1 `missing` of an aggregate is the number of edges to it from aggregates that have not ended in
//     this run. The runner that makes it 0 makes it `all` again, for the next run, before the
//     aggregate can run; no edge counts it down after that.
//  R2 an aggregate that is ready and has not begun is in one deque or inbox, or kept by one runner.
//  R3 `left_` is the number of aggregates that have not ended, plus the `done` of all runners. A
//     runner that runs dry takes its `done` off it, and so the last one makes it 0.
//  R4 a strict aggregate's node has a runner. Aggregates of a node without runners belong to the
//     nearest node with some, and the caller says which that is (Crew::stands_for).
// A run ends: while aggregates are left, one of them is ready or running (Graph::I2). If it is ready,
// some runner that may run it finds it before it sleeps, or is woken for it (A1 of task/sleep.hpp).
//
// Memory order
//  C1 the fetch-and-subtracts of one `missing` are acquire-releases: the runner that makes it 0 sees
//     what all aggregates before this one wrote. With a single edge its runner goes on itself, or
//     publishes the aggregate by a deque's push (D1, D2 of task/deque.hpp) or an inbox (N1).
//  C2 `missing` becomes `all` by a relaxed store: R1, and the push or the inbox publish it, as they
//     publish what the aggregate's predecessors wrote.
//  C3 `left_` is changed by acquire-releases, so who makes it 0 has seen all. Other runners learn it from
//     `over_` (G1, G2 of sync/event_count.hpp), and the caller by the join.
//  C4 `stopped_` is relaxed: a runner that sees it late runs one aggregate more.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/line.hpp"
#include "graph/graph.hpp"
#include "graph/inbox.hpp"
#include "sync/event_count.hpp"
#include "sync/waiting.hpp"
#include "task/deque.hpp"
#include "task/sleep.hpp"

namespace vicino::graph {
