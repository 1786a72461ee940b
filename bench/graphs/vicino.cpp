// vicino: Vicino's task graphs.
#include "program.hpp"
#include "vicino_backend.hpp"

int main(int argc, char** argv) { return bench::graphs_main<bench::VicinoBackend>(argc, argv); }
