// mpi_layer.hpp: which PMPI layer a program gets, if any.
//
// Why    Each layer is compiled for one MPI, and a program without MPI must not have one: its
//        functions would make the program believe that there is an MPI.
// How    A program that needs the MPI's library, directly or through libraries of its own, gets
//        that MPI's layer. A script, an interpreter or a shell does not show what it will load; it
//        gets the layer of the MPI whose launcher has started it.
#pragma once

#include <filesystem>
#include <string>

#include "environment.hpp"

namespace vicino::cli {

struct MpiLayer {
  std::filesystem::path file;  // empty: none
  std::string why_not;         // if there is none: a sentence without a full stop
};

// `library`: libvicino.so, beside which the layers are.
MpiLayer mpi_layer_for(const std::filesystem::path& program, const Environment& environment,
                       const std::filesystem::path& library);

}  // namespace vicino::cli
