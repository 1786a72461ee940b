/* graph.h: task graphs: many small tasks of which some must come before others, for C and C++.
 *
 *     // Task i solves row i of a lower triangular matrix; it needs the rows of its other columns.
 *     static int solve(const uint32_t* rows, size_t count, void* data) {
 *       struct system* s = data;
 *       for (size_t k = 0; k < count; ++k) solve_row(s, rows[k]);
 *       return 0;
 *     }
 *     ...
 *     char why[256];
 *     vicino_graph* fine = vicino_graph_new(n, first, columns, NULL, why, sizeof why);
 *     vicino_graph* graph = vicino_graph_coarsen(fine, "CD(4)", why, sizeof why);
 *     vicino_graph_run(graph, solve, &system, NULL);      any number of times
 *
 * Managing a task costs some tens of nanoseconds, which is much for a small task. So a graph can be
 * coarsened: its tasks are put together into aggregates, and each aggregate is run as one, by one
 * thread. A coarse string says how: passes from left to right, each applied to the aggregates of
 * the one before it.
 *
 *   S      a task joins its only predecessor if it is that one's only successor
 *   F(n)   the tasks of each depth become at most n aggregates of similar cost
 *   D(m)   a task takes along descendants that become ready through it, up to m tasks
 *   C      consecutive tasks that go on from each other become one aggregate
 *   B(n)   tasks that follow each other in one thread's order become blocks of at most n
 *   T(n)   subtrees of the elimination tree become aggregates of up to n tasks
 *   ""     every task is an aggregate of its own
 *
 * "automatic" tries some coarse strings in the graph's first runs, and stays with the fastest.
 *
 * A graph runs on the threads of a parallel region of its own, as a loop of vicino/loop.h does.
 * Inside a region of several threads it runs on those of them that wait meanwhile, at a barrier or
 * for tasks; with num_threads, where nested regions are active, in a region of its own. Graphs may
 * run in several threads at a time, also the same graph.
 *
 * Functions that make something return NULL on failure. Then `message`, of `size` bytes, gets a
 * line that says what is wrong, cut to fit; `size` may be 0. The others return 0 or an errno
 * value. None sets errno. C++: <vicino/graph.hpp>. More: docs/reference/graphs-api.md. */
#ifndef VICINO_GRAPH_H
#define VICINO_GRAPH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A graph, which the functions below make and vicino_graph_free frees. */
typedef struct vicino_graph vicino_graph;

/* Makes a graph of `tasks` tasks, counted from 0. before[first[i]] to before[first[i + 1] - 1] are the
 * tasks that must have ended before task i begins, in any order; `first` has tasks + 1 elements.
 * `cost`, of each task in any unit, may be NULL: then all cost the same. The arrays are copied.
 *
 * Refused, with the tasks' numbers in the message: a task that does not exist, an edge that is
 * there twice, tasks that wait for each other in a circle, a cost that is negative or not a
 * number. */
vicino_graph* vicino_graph_new(size_t tasks, const uint32_t* first, const uint32_t* before,
                               const float* cost, char* message, size_t size);

/* Calls generate(data) once, and makes a graph of the OpenMP tasks that it generates, with the order
 * that their depend clauses, taskwait and taskgroup give them. They run this first time as usual,
 * and have ended when this returns. vicino_graph_run(graph, NULL, NULL, options) runs them again.
 *
 * Outside regions this is a parallel region of its own, in which one thread calls generate(); inside
 * one, the calling thread does, and threads of its team that wait run tasks. As with OpenMP 6.0's
 * taskgraph: a task that runs again has its firstprivate variables as they were when it was
 * generated, and the shared variables of the first time, which must still exist. Code between the
 * tasks is not run again. What a recorded task generates itself is part of it. Tasks of a
 * mutexinoutset run in the order of their generation, priorities and affinity clauses do not count.
 *
 * If memory lacks while the tasks run, the program ends with a message.
 *
 * Refused, after the tasks have run: taskloops, task reductions, detach; private variables with
 * constructors or destructors; parallel regions in generate(); final and untied tasks that call
 * this; a recording in another. */
vicino_graph* vicino_graph_record(void (*generate)(void* data), void* data, char* message,
                                  size_t size);

/* The same tasks with all edges the other way round, and the same aggregates, each in reverse
 * order: for a backward solve. */
vicino_graph* vicino_graph_transpose(const vicino_graph* graph, char* message, size_t size);

/* The same tasks in aggregates. The passes begin with the graph's aggregates, so coarsening twice
 * is like coarsening once by both strings. "automatic" must stand alone. */
vicino_graph* vicino_graph_coarsen(const vicino_graph* graph, const char* coarse_string,
                                   char* message, size_t size);

/* Frees a graph; NULL is allowed. A graph that was made from another one does not need that any
 * more. */
void vicino_graph_free(vicino_graph* graph);

/* How many the graph has. Edges are those between tasks; those between aggregates are
 * vicino_graph_aggregate_edges. */
size_t vicino_graph_tasks(const vicino_graph* graph);
size_t vicino_graph_edges(const vicino_graph* graph);
size_t vicino_graph_aggregates(const vicino_graph* graph);
size_t vicino_graph_aggregate_edges(const vicino_graph* graph);

/* The tasks of an aggregate, in the order in which they run; *count is how many. They stay as long
 * as the graph. NULL if there is no such aggregate. Of an automatic
 * graph these are the aggregates that it began with. */
const uint32_t* vicino_graph_aggregate(const vicino_graph* graph, size_t aggregate, size_t* count);

/* Runs `count` tasks in the order given, at least one: an aggregate, or several that may follow
 * each other. Returns 0 to go on. With any other value the run ends early: aggregates that have
 * begun are finished, no other one is begun. */
typedef int vicino_graph_body(const uint32_t* tasks, size_t count, void* data);

/* How a graph is run. If all members are 0, it is as without options. */
typedef struct vicino_graph_options {
  int num_threads; /* as in the num_threads clause; 0: as in a region without the clause */
} vicino_graph_options;

/* Runs each task once. A task sees all that the tasks before it wrote, and the caller sees all.
 * `options` may be NULL. `body` may be NULL for a recorded graph: then what was recorded runs, and
 * has ended with all that it generated when this returns.
 *
 * Returns 0; or a value with which a body ended the run; or EINVAL, without a body or with a
 * negative num_threads; or ENOMEM, if memory lacks before the region begins. If it lacks later, the
 * program ends with a message. */
int vicino_graph_run(vicino_graph* graph, vicino_graph_body* body, void* data,
                     const vicino_graph_options* options);

/* Runs the tasks first, first + step, first + 2 * step, ..., which are `count` tasks, at least one;
 * `step` is 1 or -1. Otherwise as vicino_graph_body. */
typedef int vicino_graph_range_body(uint32_t first, size_t count, int step, void* data);

/* As vicino_graph_run, with a body for tasks whose numbers follow each other: it is a loop without
 * a list, as fast as the program's own. On one thread all tasks can be one range. `body` runs lists
 * in which few numbers follow each other; it may be NULL: then `range` gets these, too. EINVAL also
 * without `range`. */
int vicino_graph_run_ranges(vicino_graph* graph, vicino_graph_range_body* range,
                            vicino_graph_body* body, void* data,
                            const vicino_graph_options* options);

/* Gives the aggregates of each depth to the machine's memory nodes, in equal shares of their cost,
 * in the order of their numbers: as F(nodes) divides them. An aggregate then runs on a thread of
 * its node, if the region has one. `strict`: only there; otherwise threads of other nodes take it
 * when they have nothing else. With one node nothing changes, nor where threads are not bound to
 * single nodes: with OMP_PROC_BIND=false, or in a region inside another. A graph that runs on the
 * threads of the present region does not know which of them will come: there `strict` does not
 * count. */
int vicino_graph_place(vicino_graph* graph, int strict);

/* Gives one aggregate to a node, counted from 0 in the order of the kernel's numbers; -1 takes it
 * away from its node. Aggregates without a node go to the nodes in turn, if others have one.
 * EINVAL: there is no such aggregate or node, or the graph is automatic. */
int vicino_graph_set_node(vicino_graph* graph, size_t aggregate, int node, int strict);
/* The node that an aggregate was given to; -1: none. */
int vicino_graph_node(const vicino_graph* graph, size_t aggregate);

/* Says which memory a task writes, by calls of vicino_graph_written(list, ...). */
typedef struct vicino_graph_list vicino_graph_list;
typedef void vicino_graph_writes(uint32_t task, vicino_graph_list* list, void* data);
void vicino_graph_written(vicino_graph_list* list, const void* start, size_t bytes);

/* A dry run: asks `writes` for each task that has a node, and moves the pages that its tasks write
 * to that node. A page that tasks of several nodes write goes to the node that writes most of it.
 * *pages, unless NULL, gets the number of pages that were given to a node. With one node nothing
 * is moved. Errors: those of vicino_pages_move. */
int vicino_graph_move_data(const vicino_graph* graph, vicino_graph_writes* writes, void* data,
                           size_t* pages);

/* Which coarse string the graph has, and for an automatic one what was measured and why it is this
 * one. Returns the length of the text; `message` gets it, cut to fit. */
size_t vicino_graph_explain(const vicino_graph* graph, char* message, size_t size);

/* A graph with its costs, aggregates and nodes as a file of Vicino's own format; of an automatic
 * graph the aggregates that it began with. Saving returns EIO, with a message, if the file cannot
 * be written; one that was there is kept then. Loading refuses what is damaged or something else.
 * If this machine has fewer nodes, aggregates of the others are shared out among them. */
int vicino_graph_save(const vicino_graph* graph, const char* path, char* message, size_t size);
vicino_graph* vicino_graph_load(const char* path, char* message, size_t size);

#ifdef __cplusplus
}
#endif

#endif
