// pages.cpp: the functions of vicino/pages.h.
#include "vicino/pages.h"

#include "abi/api.hpp"
#include "region/pages.hpp"
#include "region/roots.hpp"
#include "team/near.hpp"
#include "team/places.hpp"
#include "team/worker.hpp"
#include "topo/pages.hpp"

using namespace vicino;
using abi::answer;

namespace {

// The machine for a program that places pages itself: then the runtime places none.
const topo::Machine& machine() {
  region::places_pages.store(false, std::memory_order_relaxed);
  region::me();
  team::meet_machine();
  return topo::Machine::here();
}

}  // namespace

VICINO_API int vicino_pages_alloc(size_t bytes, void** memory) {
  return topo::allocate_pages(bytes, memory);
}

VICINO_API int vicino_pages_free(void* memory, size_t bytes) {
  return topo::free_pages(memory, bytes);
}

VICINO_API int vicino_pages_spread(void* start, size_t bytes) {
  return answer([&] {
    const topo::Machine& here = machine();
    if (team::binds_near() && here.count(topo::Level::kNode) > 1)
      return topo::spread(here, team::near_blocks(), start, bytes);
    return topo::spread(here, team::places().places, start, bytes);
  });
}

VICINO_API int vicino_pages_interleave(void* start, size_t bytes) {
  return answer([&] { return topo::interleave(machine(), start, bytes); });
}

VICINO_API int vicino_pages_bind(void* start, size_t bytes, int node) {
  return answer([&] { return topo::bind_pages(machine(), start, bytes, node); });
}

VICINO_API int vicino_pages_move(void* start, size_t bytes, int node, size_t* on_node) {
  size_t ignored;
  return answer([&] {
    return topo::move_pages(machine(), start, bytes, node, on_node != nullptr ? on_node : &ignored);
  });
}

VICINO_API size_t vicino_pages_count(const void* start, size_t bytes) {
  return topo::page_count(start, bytes);
}

VICINO_API int vicino_pages_query(const void* start, size_t bytes, int* nodes, size_t length) {
  return topo::query_pages(start, bytes, {nodes, length});
}
