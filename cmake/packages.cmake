# Other people's libraries. Without a word they are the system's. A build for another processor takes only their
# headers: with VICINO_HEADERS those in that folder, for a compiler that does not look into the system's folders
# (packaging/dist), else those that the compiler finds (Debian's does).
option(VICINO_FMT_HEADERS "Take fmt from its headers, so that no library of it is needed" OFF)
set(VICINO_HEADERS "" CACHE PATH "Folder with the headers of fmt, CLI11, toml++, nlohmann-json, protozero and hwloc")

find_package(PkgConfig REQUIRED)
if(NOT VICINO_HEADERS AND NOT CMAKE_CROSSCOMPILING)
  find_package(CLI11 REQUIRED)
  if(VICINO_FMT_HEADERS)
    add_library(fmt::fmt INTERFACE IMPORTED)
    target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY=1)
  else()
    find_package(fmt REQUIRED)
  endif()
  find_package(nlohmann_json REQUIRED)
  find_path(VICINO_PROTOZERO protozero/pbf_writer.hpp REQUIRED)
  add_library(protozero INTERFACE IMPORTED)
  target_include_directories(protozero SYSTEM INTERFACE ${VICINO_PROTOZERO})
  pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc>=2.9)
  return()
endif()

if(VICINO_HEADERS)
  target_include_directories(vicino_flags SYSTEM INTERFACE ${VICINO_HEADERS})
endif()
foreach(name CLI11::CLI11 fmt::fmt nlohmann_json::nlohmann_json protozero PkgConfig::HWLOC)
  add_library(${name} INTERFACE IMPORTED)
endforeach()
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY=1)

if(NOT VICINO_HEADERS)
  # Unpacked by scripts/arm64_packages. The rest of hwloc's headers is where the compiler looks.
  set(unpacked $ENV{XDG_CACHE_HOME})
  if(NOT unpacked)
    set(unpacked $ENV{HOME}/.cache)
  endif()
  set(unpacked ${unpacked}/vicino/unpacked/arm64/usr)
  target_include_directories(PkgConfig::HWLOC SYSTEM INTERFACE ${unpacked}/include/aarch64-linux-gnu)
  target_link_libraries(PkgConfig::HWLOC INTERFACE ${unpacked}/lib/aarch64-linux-gnu/libhwloc.so)
  target_link_options(PkgConfig::HWLOC INTERFACE LINKER:-rpath-link,${unpacked}/lib/aarch64-linux-gnu)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${CMAKE_CROSSCOMPILING_EMULATOR};-E;LD_LIBRARY_PATH=${unpacked}/lib/aarch64-linux-gnu)
  return()
endif()

# hwloc's library is the user's own, under the name that it has had since 2.0. Only libvicino-hwloc.so needs it, and
# is loaded only for a recorded machine; here an empty library has the name, so that the module asks for it.
set(empty ${PROJECT_BINARY_DIR}/empty.c)
file(CONFIGURE OUTPUT ${empty} CONTENT "int vicino_empty;\n")
add_library(hwloc_name SHARED ${empty})
set_target_properties(hwloc_name PROPERTIES OUTPUT_NAME hwloc SOVERSION 15
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/names)
target_link_libraries(PkgConfig::HWLOC INTERFACE hwloc_name)
