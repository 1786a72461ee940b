#include "bytes.hpp"

namespace vicino::pmpi {
namespace {

constinit Real<decltype(&PMPI_Type_size)> type_size{"PMPI_Type_size"};
constinit Real<decltype(&PMPI_Type_get_envelope)> envelope{"PMPI_Type_get_envelope"};
constinit Real<decltype(&PMPI_Comm_size)> comm_size{"PMPI_Comm_size"};
constinit Real<decltype(&PMPI_Comm_rank)> comm_rank{"PMPI_Comm_rank"};
constinit Real<decltype(&PMPI_Comm_remote_size)> remote_size{"PMPI_Comm_remote_size"};
constinit Real<decltype(&PMPI_Comm_test_inter)> test_inter{"PMPI_Comm_test_inter"};
constinit Real<decltype(&PMPI_Topo_test)> topo_test{"PMPI_Topo_test"};
constinit Real<decltype(&PMPI_Cartdim_get)> cart_dimensions{"PMPI_Cartdim_get"};
constinit Real<decltype(&PMPI_Graph_neighbors_count)> graph_neighbours{
    "PMPI_Graph_neighbors_count"};
constinit Real<decltype(&PMPI_Dist_graph_neighbors_count)> dist_neighbours{
    "PMPI_Dist_graph_neighbors_count"};

uint64_t natural(int number) noexcept { return number > 0 ? static_cast<uint64_t>(number) : 0; }

}  // namespace

uint64_t asked_size_of(MPI_Datatype type) noexcept {
  constexpr int kLargestNamed = 32;
  if (type == null_type() || type == MPI_Datatype{}) return 0;
  int size = 0, integers, addresses, types, combiner;
  if (type_size.get()(type, &size) != MPI_SUCCESS) return 0;
  if (size > 0 && size <= kLargestNamed &&
      envelope.get()(type, &integers, &addresses, &types, &combiner) == MPI_SUCCESS &&
      combiner == MPI_COMBINER_NAMED)
    last_named = {type, natural(size)};
  return natural(size);
}

uint64_t members(MPI_Comm comm) noexcept {
  int size = 0;
  comm_size.get()(comm, &size);
  return natural(size);
}

uint64_t rank_in(MPI_Comm comm) noexcept {
  int rank = 0;
  comm_rank.get()(comm, &rank);
  return natural(rank);
}

uint64_t partners(MPI_Comm comm) noexcept {
  int between_groups = 0;
  test_inter.get()(comm, &between_groups);
  if (between_groups == 0) return members(comm);
  int size = 0;
  remote_size.get()(comm, &size);
  return natural(size);
}

uint64_t neighbours(MPI_Comm comm) noexcept {
  int topology = MPI_UNDEFINED, in = 0, out = 0, weighted = 0;
  topo_test.get()(comm, &topology);
  if (topology == MPI_CART) {
    cart_dimensions.get()(comm, &out);
    out *= 2;  // one before and one behind in each
  } else if (topology == MPI_GRAPH) {
    graph_neighbours.get()(comm, static_cast<int>(rank_in(comm)), &out);
  } else if (topology == MPI_DIST_GRAPH) {
    dist_neighbours.get()(comm, &in, &out, &weighted);
  }
  return natural(out);
}

}  // namespace vicino::pmpi
