// Task graphs in DOT: what is read, and what is refused with its line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "patterns/dot.hpp"

namespace vicino::patterns {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

NamedGraph read(const std::string& text) {
  auto graph = read_dot(text, "g.dot");
  EXPECT_TRUE(graph) << graph.error();
  return graph ? *std::move(graph) : NamedGraph();
}

std::string refused(const std::string& text) { return read_dot(text, "g.dot").error(); }

// "a>c b>c": the edges by name, by their ends' numbers.
std::string edges(const NamedGraph& read) {
  std::string text;
  for (uint32_t task = 0; task < read.graph.size(); ++task)
    for (const uint32_t other : read.graph.before(task))
      text += (text.empty() ? "" : " ") + read.names[other] + ">" + read.names[task];
  return text;
}

TEST(Dot, ReadsChainsSetsAndSubgraphs) {
  const NamedGraph graph = read(
      "digraph g {\n  a -> b -> c; d;\n  x -> {y z}\n  subgraph cluster_1 { y; z } -> subgraph { w "
      "v -> u }\n}\n");
  EXPECT_THAT(graph.names, ElementsAre("a", "b", "c", "d", "x", "y", "z", "w", "v", "u"));
  EXPECT_EQ(edges(graph), "a>b b>c x>y x>z y>w z>w y>v z>v v>u y>u z>u");
}

TEST(Dot, NumbersTasksAsTheyAreNamed) {
  EXPECT_THAT(read("digraph { 2; 1 -> 2; 0 -> 1 }").names, ElementsAre("2", "1", "0"));
}

TEST(Dot, ReadsNamesOfAllKinds) {
  const NamedGraph graph = read(
      "DiGraph \"g\" { \"a b\" -> -.5; \"digraph\" -> \"x\\\"y\"; \"lo\\\nng\" ; \"a\" + \"b\"; "
      "<<b>1</b>>; n\xc3\xa4h_1 "
      "; \"back\\\\\"; a:p:n -> b:s }");
  EXPECT_THAT(graph.names, ElementsAre("a b", "-.5", "digraph", "x\"y", "long", "ab", "<<b>1</b>>",
                                       "n\xc3\xa4h_1", "back\\\\", "a", "b"));
}

TEST(Dot, ReadsOverCommentsAndAttributes) {
  const NamedGraph graph = read(
      "# from a tool\n/* a -> x\n */ strict digraph { // b -> x\n graph [label=\"l\"] edge "
      "[cost=7, w=1]; rankdir = LR\n"
      "a [shape=box; color=\"red\"][x] a -> b [cost=9, weight=2] }");
  EXPECT_EQ(edges(graph), "a>b");
  EXPECT_EQ(graph.graph.cost(0), 1);
  EXPECT_EQ(graph.graph.cost(1), 1);
}

TEST(Dot, CostsBelongToTasks) {
  const NamedGraph graph = read(
      "digraph { a [cost=2.5]; node [cost=\"4\"]; b; { node [cost=8]; c } d; a -> e; d [cost=0] }");
  const auto costs = graph.graph.costs();
  EXPECT_THAT(std::vector<float>(costs.begin(), costs.end()), ElementsAre(2.5f, 4, 8, 0, 4));
}

TEST(Dot, AStrictDigraphMayRepeatEdges) {
  EXPECT_EQ(edges(read("strict digraph { a -> b; c -> b; a -> b }")), "a>b c>b");
}

TEST(Dot, MayBeEmpty) { EXPECT_THAT(read("digraph {}").names, IsEmpty()); }

TEST(Dot, ACommentMayBeTheEnd) {
  EXPECT_THAT(read("digraph { a } // b").names, ElementsAre("a"));
  EXPECT_THAT(read("digraph { a }\n# b").names, ElementsAre("a"));
}

struct Refused {
  const char *text, *error;
};

TEST(Dot, RefusesEachMistakeWithItsLine) {
  const Refused cases[] = {
      {"", "g.dot:1: before the end of the file there must be 'digraph'"},
      {"\ngraph { a -- b }",
       "g.dot:2: a graph without directions is no task graph; 'digraph' is accepted"},
      {"digraph {\na -- b }", "g.dot:2: '--' is an edge of an undirected graph; '->' is accepted"},
      {"digraph a b {}", "g.dot:1: before 'b' there must be '{'"},
      {"digraph {\n a -> b\n", "g.dot:3: before the end of the file there must be a task or '}'"},
      {"digraph { a -> }", "g.dot:1: before '}' there must be a task or '{'"},
      {"digraph { a -> ; }", "g.dot:1: before ';' there must be a task or '{'"},
      {"digraph { a = ; }", "g.dot:1: before ';' there must be a name"},
      {"digraph { a [x=] }", "g.dot:1: before ']' there must be a name"},
      {"digraph { a [=] }", "g.dot:1: before '=' there must be an attribute or ']'"},
      {"digraph { node; }", "g.dot:1: before ';' there must be '['"},
      {"digraph { a + b }", "g.dot:1: before '+' there must be a task or '}'"},
      {"digraph { \"a\" + b }", "g.dot:1: before 'b' there must be a name in quotes"},
      {"digraph {}\n\ndigraph {}", "g.dot:3: text stands behind the digraph"},
      {"digraph {\n\"a\n -> b }", "g.dot:2: the name in quotes does not end"},
      {"digraph {\n/* a }", "g.dot:2: the comment that begins here does not end"},
      {"digraph { <a }", "g.dot:1: the text in <> does not end"},
      {"digraph { a\n @ }",
       "g.dot:2: '@' cannot be here; names with such characters stand in quotes"},
      {"digraph { -. }", "g.dot:1: '-.' is no number and cannot be here"},
      {"digraph {\n a [cost=-1] }", "g.dot:2: the cost '-1' is not a number from 0 on"},
      {"digraph {\n a [cost=1e9x] }",
       "g.dot:2: '1e9x' begins as a number; such names stand in quotes"},
      {"digraph { a [cost=\"1e39\"] }", "g.dot:1: the cost '1e39' is not a number from 0 on"},
      {"digraph { a [cost] }", "g.dot:1: the cost '' is not a number from 0 on"},
      {"digraph {\n a -> b\n a -> a }", "g.dot:3: task 'a' comes after itself"},
      {"digraph {\n a -> b\n c -> b\n a -> b }",
       "g.dot:4: the edge from 'a' to 'b' is there twice, first in line 2; a 'strict digraph' may "
       "repeat edges"},
      {"digraph { a b c; z -> c; b -> a -> c -> b }",
       "g.dot: tasks wait for each other in a circle: 'a' -> 'c' -> 'b' -> 'a'"},
      {"digraph { r -> a -> b -> c -> a -> z }",
       "g.dot: tasks wait for each other in a circle: 'a' -> 'b' -> 'c' -> 'a'"},
  };
  for (const Refused& each : cases) EXPECT_EQ(refused(each.text), each.error) << each.text;
}

TEST(Dot, ALongCircleIsNotNamedWhole) {
  EXPECT_THAT(refused("digraph { a->b->c->d->e->f->g->h->i->j->a }"),
              HasSubstr("'h' -> (2 more) -> 'a'"));
}

TEST(Dot, BracesMayNotBeEndlesslyDeep) {
  EXPECT_EQ(refused("digraph {\n" + std::string(100000, '{')),
            "g.dot:2: braces stand in each other more than 100 deep");
  EXPECT_THAT(read("digraph {" + std::string(98, '{') + "a" + std::string(98, '}') + "}").names,
              ElementsAre("a"));
}

// Texts made of DOT's pieces are read or refused, and the reader ends.
TEST(Dot, AnyTextIsReadOrRefused) {
  const char* pieces[] = {"digraph", "strict", "{",  "}",    "[",  "]",  "->", "--",      "a", "b",
                          ";",       ",",      "=",  ":",    "\"", "\\", "<",  ">",       "+", "/*",
                          "*/",      "//",     "\n", "cost", "1",  "-",  ".",  "subgraph"};
  std::mt19937 random(3);
  int good = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = "digraph {";
    for (auto i = random() % 12; i > 0; --i)
      text += std::string(pieces[random() % std::size(pieces)]) + (random() % 2 ? " " : "");
    const auto graph = read_dot(text + "}", "g.dot");
    good += graph.ok();
    ASSERT_THAT(graph ? "g.dot:" : graph.error(), HasSubstr("g.dot:")) << text;
  }
  EXPECT_GT(good, 100);
}

}  // namespace
}  // namespace vicino::patterns
