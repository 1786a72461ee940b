# Programs that are measured are built by the compilers that users have, each with its own OpenMP, whatever
# compiler and flags build Vicino. So they have commands of their own. They are not part of `all`, because most
# builds never run them: `cmake --build DIR --target bench_programs`.
find_program(VICINO_BENCH_CLANG clang++-19)
find_program(VICINO_BENCH_GCC g++-12)
set(BENCH_DIR ${CMAKE_BINARY_DIR}/bench)
# The processes check with it on which runtime they run.
set(BENCH_IDENTITY ${PROJECT_SOURCE_DIR}/bench/micro/identity.cpp)

# vicino_bench_program(FOLDER NAME SOURCES … [FLAGS …] [LIBRARIES …] [DEPENDS …]): FOLDER/NAME-clang and
# FOLDER/NAME-gcc below BENCH_DIR, as parts of the target bench_FOLDER_programs; of bench_programs if FOLDER is ".".
function(vicino_bench_program folder name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "SOURCES;FLAGS;LIBRARIES;DEPENDS")
  if(folder STREQUAL ".")
    set(group bench)
  else()
    set(group bench_${folder})
  endif()
  if(NOT TARGET ${group}_programs)
    add_custom_target(${group}_programs)
    file(MAKE_DIRECTORY ${BENCH_DIR}/${folder})
  endif()
  set(sources "")
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND sources ${source})
    cmake_path(GET source PARENT_PATH place)
    list(APPEND headers ${place}/*.hpp ${place}/../*.hpp)
  endforeach()
  file(GLOB headers CONFIGURE_DEPENDS ${headers} ${PROJECT_SOURCE_DIR}/bench/kernels/*.hpp
       ${PROJECT_SOURCE_DIR}/lab/mark.h)
  foreach(compiler clang gcc)
    string(TOUPPER ${compiler} upper)
    if(VICINO_BENCH_${upper})
      set(program ${BENCH_DIR}/${folder}/${name}-${compiler})
      cmake_path(NORMAL_PATH program)
      # DWARF 4: valgrind 3.19 cannot read the DWARF 5 that clang 19 writes.
      add_custom_command(OUTPUT ${program}
        COMMAND ${VICINO_BENCH_${upper}} -std=c++20 -O2 -gdwarf-4 -Wall -Wextra ${arg_FLAGS}
                ${sources} ${arg_LIBRARIES} -o ${program}
        DEPENDS ${sources} ${headers} ${arg_DEPENDS}
        COMMENT "Building ${name}-${compiler}" VERBATIM)
      add_custom_target(${group}_${name}_${compiler} DEPENDS ${program})
      add_dependencies(${group}_programs ${group}_${name}_${compiler})
    endif()
  endforeach()
endfunction()
