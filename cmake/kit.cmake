# Programs that Vicino brings along: `vicino bench` and `vicino selftest` run them on the user's machine. They are
# built by the compilers that users have, each for its own ABI, whatever compiler builds Vicino. They need the C
# library and an OpenMP runtime only: the driver of C links them, without C++'s library. kit/alone.cpp has the few
# functions that a C++ source needs nevertheless.
#
# A build for other systems names its own tools. Each is a list, a command and its first arguments:
#     VICINO_KIT_GCC, VICINO_KIT_CLANG  compile C and C++ to an object, with OpenMP for the ABI of that name
#     VICINO_KIT_LINK                   links the objects of both; empty: each compiler links its own
#     VICINO_KIT_GOMP, VICINO_KIT_OMP   with VICINO_KIT_LINK: the libgomp.so and the libomp.so to link with. Of the
#                                       first, gcc is asked if it is empty. In place of the second, a library is
#                                       made that has the names only, because few systems have one for another
#                                       processor.
# A sanitized library cannot be loaded into them.
if(VICINO_SANITIZE)
  set(kit_by_default OFF)
else()
  set(kit_by_default ${PROJECT_IS_TOP_LEVEL})
endif()
option(VICINO_KIT "Build the programs of `vicino bench` and `vicino selftest`" ${kit_by_default})
find_program(VICINO_KIT_GCC gcc-12 DOC "Compiles the kit's programs for the ABI of libgomp")
find_program(VICINO_KIT_CLANG clang-19 DOC "Compiles the kit's programs for the ABI of libomp")
set(VICINO_KIT_LINK "" CACHE STRING "Links the kit's programs; empty: their compilers do")
set(VICINO_KIT_GOMP "" CACHE STRING "The libgomp.so that VICINO_KIT_LINK links with")
set(VICINO_KIT_OMP "" CACHE STRING "The libomp.so that VICINO_KIT_LINK links with")
set(VICINO_KIT_DIR ${CMAKE_BINARY_DIR}/libexec/vicino)  # the build tree has the shape of what is installed

if(VICINO_KIT AND NOT VICINO_KIT_GOMP AND VICINO_KIT_LINK AND VICINO_KIT_GCC)
  execute_process(COMMAND ${VICINO_KIT_GCC} -print-file-name=libgomp.so OUTPUT_VARIABLE kit_gomp
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(VICINO_KIT_GOMP ${kit_gomp})
endif()

set(kit_flags -O2 -fPIE -fopenmp -Wall -Wextra)
# No exceptions, and templates of the library are compiled here and not expected in the library.
set(kit_cxx_flags -std=c++20 -fno-exceptions -fno-rtti -fno-threadsafe-statics -D_GLIBCXX_EXTERN_TEMPLATE=0
    -D_LIBCPP_DISABLE_EXTERN_TEMPLATE)

# kit_can_build(VARIABLE ABI): whether there is a compiler for it; ABI is gcc or clang.
function(kit_can_build variable abi)
  string(TOUPPER ${abi} upper)
  if(VICINO_KIT AND VICINO_KIT_${upper})
    set(${variable} TRUE PARENT_SCOPE)
  else()
    set(${variable} FALSE PARENT_SCOPE)
  endif()
endfunction()

# add_kit_object(VARIABLE ABI SOURCE [FLAG…]): appends the object of a C or C++ source to the variable.
function(add_kit_object variable abi source)
  string(TOUPPER ${abi} upper)
  cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE name)
  string(SHA1 others "${ARGN}")  # a source may be compiled twice, with other flags
  string(SUBSTRING ${others} 0 8 others)
  set(object ${CMAKE_BINARY_DIR}/kit/${abi}/${name}.${others}.o)
  cmake_path(GET object PARENT_PATH folder)
  file(MAKE_DIRECTORY ${folder})
  if(source MATCHES "\\.c$")
    set(flags -std=gnu17)
  else()
    set(flags ${kit_cxx_flags})
  endif()
  get_property(known GLOBAL PROPERTY kit_objects)
  if(NOT object IN_LIST known)
    set_property(GLOBAL APPEND PROPERTY kit_objects ${object})
    add_custom_command(OUTPUT ${object}
      COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${VICINO_KIT_${upper}} ${kit_flags} ${flags} ${ARGN} -MD -MF ${object}.d -MT ${object}
              -c ${source} -o ${object}
      DEPENDS ${source} DEPFILE ${object}.d COMMENT "Building ${name} by ${abi}" VERBATIM)
  endif()
  set(${variable} ${${variable}} ${object} PARENT_SCOPE)
endfunction()

# add_kit_program(NAME ABI [SOURCE…] DESTINATION FOLDER [OBJECTS …] [FLAGS …]): NAME-ABI in libexec/vicino/FOLDER,
# built and installed, part of the target vicino_kit. Nothing happens if there is no compiler for the ABI.
function(add_kit_program name abi)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "DESTINATION" "OBJECTS;FLAGS")
  kit_can_build(can ${abi})
  if(NOT can)
    return()
  endif()
  string(TOUPPER ${abi} upper)
  set(objects ${arg_OBJECTS})
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    add_kit_object(objects ${abi} ${source} ${arg_FLAGS})
  endforeach()
  set(program ${VICINO_KIT_DIR}/${arg_DESTINATION}/${name}-${abi})
  file(MAKE_DIRECTORY ${VICINO_KIT_DIR}/${arg_DESTINATION})
  # Functions are bound at their first call: a runtime that lacks one can run what does not need it.
  set(link_flags -pie -s -Wl,-z,lazy -Wl,--as-needed)
  if(NOT VICINO_KIT_LINK)
    set(commands COMMAND ${VICINO_KIT_${upper}} -fopenmp ${link_flags} ${objects} -lm -ldl -o ${program})
  else()
    set(runtime "${VICINO_KIT_GOMP}")
    if(abi STREQUAL clang)
      set(runtime "${VICINO_KIT_OMP}")
    endif()
    set(commands "")
    if(NOT runtime)
      set(runtime ${CMAKE_BINARY_DIR}/kit/${arg_DESTINATION}-${name}/libomp.so)
      list(JOIN objects | joined_objects)  # a list of commands cannot have a list in it
      list(JOIN VICINO_KIT_LINK | joined_link)
      set(commands COMMAND ${CMAKE_COMMAND} -DOBJECTS=${joined_objects} -DLINK=${joined_link}
          -DLIBRARY=${runtime} -P ${PROJECT_SOURCE_DIR}/cmake/kit_names.cmake)
    endif()
    # The runtime's own needs are another system's affair. The folder is there in a wheel (packaging/python/wheel.py).
    list(APPEND commands COMMAND ${VICINO_KIT_LINK} ${link_flags} -Wl,--allow-shlib-undefined -Wl,-rpath,$ORIGIN/../names
         ${objects} ${runtime} -lm -lpthread -ldl -o ${program})
  endif()
  add_custom_command(OUTPUT ${program} ${commands} DEPENDS ${objects} ${PROJECT_SOURCE_DIR}/cmake/kit_names.cmake
    COMMENT "Linking ${name}-${abi}" VERBATIM)
  if(NOT TARGET vicino_kit)
    add_custom_target(vicino_kit ALL)
  endif()
  add_custom_target(kit_${arg_DESTINATION}_${name}_${abi} DEPENDS ${program})
  add_dependencies(vicino_kit kit_${arg_DESTINATION}_${name}_${abi})
  install(PROGRAMS ${program} DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/vicino/${arg_DESTINATION})
endfunction()
