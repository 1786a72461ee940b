# Writes which commit is built into two files of the build folder, if that has changed: a source file and a text file.
#
#   cmake -DSOURCE=DIR -DNUMBER=0.1.0 -DCODE=FILE.cpp -DTEXT=FILE.txt -P version.cmake
#
# Each build runs this, and all but the first of a commit find both files as they are. git is asked only where
# SOURCE is the top of a working tree: a copy of the sources inside of another repository is not of its commit.
# An archive that `git archive` wrote and a copy that packaging/sources wrote have their commit in cmake/commit.txt.
# Where nothing tells, a commit is "unknown".
cmake_minimum_required(VERSION 3.25)

# Untracked files and those outside of the product do not make a build dirty: a benchmark's page is written after
# the benchmark was built, and tests change no product.
set(product CMakeLists.txt cmake include mpi src tools)

function(ask_git variable)
  execute_process(COMMAND git --no-optional-locks -C ${SOURCE} ${ARGN} RESULT_VARIABLE status
    OUTPUT_VARIABLE said ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT status EQUAL 0)
    set(said "")
  endif()
  set(${variable} "${said}" PARENT_SCOPE)
endfunction()

set(commit unknown)
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/commit.txt archived LIMIT_COUNT 1)
if(archived MATCHES "^([0-9a-f]+)(\\.dirty)?$")
  string(SUBSTRING ${CMAKE_MATCH_1} 0 12 commit)
  set(commit g${commit}${CMAKE_MATCH_2})
else()
  ask_git(top rev-parse --show-toplevel)
  file(REAL_PATH ${SOURCE} source)
  if(top STREQUAL source)
    ask_git(head rev-parse --short=12 HEAD)
    ask_git(changed status --porcelain --untracked-files=no -- ${product})
    if(head)
      set(commit g${head})
    endif()
    if(changed)
      string(APPEND commit .dirty)
    endif()
  endif()
endif()

set(version "${NUMBER}+${commit}")
file(CONFIGURE OUTPUT ${TEXT} CONTENT "Vicino @version@\n" @ONLY)
file(CONFIGURE OUTPUT ${CODE} @ONLY CONTENT [[
// Written by cmake/version.cmake.
#include "base/version.hpp"

const char* vicino::version() noexcept { return "@version@"; }
]])
