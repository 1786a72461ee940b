# Other people's libraries. Without a word they are the system's. With VICINO_HEADERS all of them come from their
# headers in that folder alone, for a compiler that does not look into the system's folders (packaging/dist).
set(VICINO_HEADERS "" CACHE PATH "Folder with the headers of fmt, CLI11, toml++, nlohmann-json and hwloc")

find_package(PkgConfig REQUIRED)
if(NOT VICINO_HEADERS)
  find_package(CLI11 REQUIRED)
  find_package(fmt REQUIRED)
  find_package(nlohmann_json REQUIRED)
  pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc>=2.9)
  return()
endif()

target_include_directories(vicino_flags SYSTEM INTERFACE ${VICINO_HEADERS})
foreach(name CLI11::CLI11 fmt::fmt nlohmann_json::nlohmann_json PkgConfig::HWLOC)
  add_library(${name} INTERFACE IMPORTED)
endforeach()
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY=1)

# hwloc's library is the user's own, under the name that it has had since 2.0. Only libvicino-hwloc.so needs it, and
# is loaded only for a recorded machine; here an empty library has the name, so that the module asks for it.
set(empty ${PROJECT_BINARY_DIR}/empty.c)
file(CONFIGURE OUTPUT ${empty} CONTENT "int vicino_empty;\n")
add_library(hwloc_name SHARED ${empty})
set_target_properties(hwloc_name PROPERTIES OUTPUT_NAME hwloc SOVERSION 15
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/names)
target_link_libraries(PkgConfig::HWLOC INTERFACE hwloc_name)
