# add_omp_programs(kind FOLDER dir [COMPILERS names] [ARGS args...] [LABEL label] [SUFFIX text] [API]) adds
# one CTest entry, kind/program/compiler and the suffix, for each program of a folder and each compiler
# that builds it: the usual ones, or those of a list with commas. API: the programs use Vicino's own
# headers and functions.
#
# The test compiles its program: `make build` stays short, and a program is compiled again only when
# it or its flags have changed. In a sanitizer build the programs get the runtime's compiler and
# sanitizer, because two sanitizers cannot share a process. But the code that clang makes for
# AddressSanitizer runs with gcc's library for it, and flang's code, which has no checks of its own,
# at least does not disturb it: the runtime below is still checked.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(omp_run ${CMAKE_CURRENT_LIST_DIR}/../omp/run.py)

set(omp_compiler "")
set(omp_fortran "")  # gfortran's code can have gcc's sanitizer
set(omp_flags "")
set(omp_sanitize "")  # the same flags as an option, for tests with a script of their own
if(VICINO_SANITIZE)
  set(omp_compiler gcc-12)
  set(omp_fortran gfortran-12)
  if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    set(omp_compiler clang-19)
    set(omp_fortran "")
  endif()
  # Optimised code may load a value before it knows whether it needs it. That is a race only to
  # ThreadSanitizer. UndefinedBehaviorSanitizer is for the runtime: gcc's own code for static loops
  # overflows in small types.
  string(REPLACE "," ";" omp_sanitizers "${VICINO_SANITIZE}")
  list(REMOVE_ITEM omp_sanitizers undefined)
  set(omp_flags "-O0")
  if(omp_sanitizers)
    list(JOIN omp_sanitizers "," omp_sanitizers)
    string(APPEND omp_flags " -fsanitize=${omp_sanitizers}")
  endif()
  set(omp_sanitize "--flags=${omp_flags}")
  set(omp_flags_of_${omp_compiler} "${omp_flags}")
  set(omp_flags_of_${omp_fortran} "${omp_flags}")
  if(VICINO_SANITIZE MATCHES address AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libasan.so
                    OUTPUT_VARIABLE omp_asan OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT EXISTS "${omp_asan}")  # gcc answers with the bare name if it has none
      message(FATAL_ERROR "${CMAKE_CXX_COMPILER} has no libasan.so, which the programs of clang and "
                          "flang need in a build with AddressSanitizer")
    endif()
    set(omp_link "-Wl,--push-state,--no-as-needed,${omp_asan},--pop-state")
    set(omp_flags_of_clang-19 "-O0 -fsanitize=address -fno-sanitize-link-runtime ${omp_link}")
    set(omp_flags_of_flang-19 "-O0 ${omp_link}")
  endif()
endif()

function(add_omp_programs kind)
  cmake_parse_arguments(PARSE_ARGV 1 arg "API" "FOLDER;COMPILERS;LABEL;SUFFIX" "ARGS")
  set(compilers "")
  if(arg_COMPILERS)
    set(compilers --compilers ${arg_COMPILERS})
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${arg_FOLDER}/*.c ${arg_FOLDER}/*.cpp ${arg_FOLDER}/*.f90)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
  execute_process(COMMAND ${Python3_EXECUTABLE} ${omp_run} list --folder ${arg_FOLDER}
                          "--sanitize=${VICINO_SANITIZE}" ${compilers}
                  OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" listed "${listed}")
  set(api_flags "")
  if(arg_API)
    string(CONCAT api_flags " -I${PROJECT_SOURCE_DIR}/include -L$<TARGET_FILE_DIR:vicino> -lvicino"
                            " -Wl,-rpath,$<TARGET_FILE_DIR:vicino>")
  endif()
  foreach(line IN LISTS listed)
    string(REPLACE " " ";" words ${line})
    list(GET words 0 program)
    list(GET words 1 compiler)
    if(VICINO_SANITIZE AND NOT DEFINED omp_flags_of_${compiler})
      continue()
    endif()
    set(test ${kind}/${program}/${compiler}${arg_SUFFIX})
    add_test(NAME ${test}
      COMMAND ${Python3_EXECUTABLE} ${omp_run} test ${program} ${compiler} --folder ${arg_FOLDER}
              --runtime $<TARGET_FILE:vicino> --work ${CMAKE_BINARY_DIR}/omp-programs
              "--flags=${omp_flags_of_${compiler}}${api_flags}" ${arg_ARGS})
    set_tests_properties(${test} PROPERTIES SKIP_RETURN_CODE 77 LABELS "${kind};${arg_LABEL}")
  endforeach()
endfunction()
