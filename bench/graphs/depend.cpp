// depend: OpenMP's tasks with depend clauses.
#include "depend_backend.hpp"
#include "program.hpp"

int main(int argc, char** argv) { return bench::graphs_main<bench::DependBackend>(argc, argv); }
