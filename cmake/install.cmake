# The files that `cmake --install` lays down. Each finds the others from its own place, so the folder
# can be moved after it was installed, and one build serves any prefix.
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/vicino DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

if(TARGET vicino_cli)
  install(TARGETS vicino_cli DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
# The pages that `vicino help` prints, the files that --help and findings of `vicino doctor` name, and what these link to,
# where their names hold: below the folder as below this one.
install(CODE "
  file(GLOB_RECURSE PAGES RELATIVE \"${PROJECT_SOURCE_DIR}\" \"${PROJECT_SOURCE_DIR}/docs/*\")
  list(APPEND PAGES README.md CHANGELOG.md bench/loops/performance.json bench/crowded/clients.json
       bench/crowded/performance.json)
  set(SOURCE \"${PROJECT_SOURCE_DIR}\")
  set(TO \"${CMAKE_INSTALL_DOCDIR}\")
  cmake_path(ABSOLUTE_PATH TO BASE_DIRECTORY \"\${CMAKE_INSTALL_PREFIX}\")")
install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/install_pages.cmake)
if(NOT TARGET vicino)
  return()
endif()

# libvicino.so -> libvicino.so.0 -> libvicino.so.0.1.0. The soname counts the ABI of vicino.h; the
# names in lib/vicino/replace promise the ABIs of kmpc and gomp.
set_target_properties(vicino PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} EXPORT_NAME vicino)

# A client brings the omp.h of its own compiler and gets Vicino's library. -fopenmp stays out of the
# link line, since there it would add the compiler's own runtime to the program.
target_include_directories(vicino INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_options(vicino INTERFACE $<INSTALL_INTERFACE:$<$<COMPILE_LANGUAGE:C,CXX,Fortran>:-fopenmp>>)
install(TARGETS vicino EXPORT vicino
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
# topo/recorded.cpp looks for the module in this folder.
install(TARGETS vicino_hwloc_module LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/vicino)
# event/start.cpp looks for this module there.
install(TARGETS vicino_trace LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/vicino)
# `vicino run` looks for the PMPI layers in the same folder.
get_property(mpi_layers GLOBAL PROPERTY VICINO_MPI_LAYERS)
set(mpi_layer_files)
foreach(layer IN LISTS mpi_layers)
  install(TARGETS ${layer} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/vicino)
  string(APPEND mpi_layer_files " vicino/$<TARGET_FILE_NAME:${layer}>")
endforeach()

# This runs before the library gets its second name, because stripping writes another file.
install(CODE "
  set(lib \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}\")
  set(objcopy \"${CMAKE_OBJCOPY}\")
  set(readelf \"${CMAKE_READELF}\")
  set(libraries $<TARGET_FILE_NAME:vicino> vicino/$<TARGET_FILE_NAME:vicino_hwloc_module> vicino/$<TARGET_FILE_NAME:vicino_trace>${mpi_layer_files})")
option(VICINO_SPLIT_DEBUG "Install the debug information of libraries in files of their own" ON)
if(VICINO_SPLIT_DEBUG)
  install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/split_debug.cmake)
endif()

# The replacement folder: when it is first in LD_LIBRARY_PATH, every client of another runtime gets
# Vicino, once per process, because the loader knows files by inode. The build tree has the same shape.
#
# libgomp.so.1 is a hard link (src/CMakeLists.txt makes the build tree's), and the others point to it:
# tools that look for OpenMP runtimes by file name, such as threadpoolctl, resolve symbolic links first.
set(replace_dir ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/vicino/replace)
file(MAKE_DIRECTORY ${replace_dir})
foreach(soname
    libomp.so.5   # Debian's clang and flang
    libomp.so     # clang and flang as LLVM, conda and vendors ship them
    libiomp5.so   # Intel's compilers, MKL
    libgomp.so.1.0.0)  # numba's wheels
  file(CREATE_LINK libgomp.so.1 ${replace_dir}/${soname} SYMBOLIC)
endforeach()
install(DIRECTORY ${replace_dir} DESTINATION ${CMAKE_INSTALL_LIBDIR}/vicino
  PATTERN libgomp.so.1 EXCLUDE)
install(CODE "
  set(lib \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}\")
  file(CREATE_LINK \${lib}/$<TARGET_FILE_NAME:vicino> \${lib}/vicino/replace/libgomp.so.1)
  # Debuggers look in the folder of the name by which the library was loaded.
  if(EXISTS \${lib}/.debug/$<TARGET_FILE_NAME:vicino>.debug)
    file(MAKE_DIRECTORY \${lib}/vicino/replace/.debug)
    file(CREATE_LINK ../../../.debug/$<TARGET_FILE_NAME:vicino>.debug
      \${lib}/vicino/replace/.debug/$<TARGET_FILE_NAME:vicino>.debug SYMBOLIC)
  endif()")

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/vicino)
install(EXPORT vicino NAMESPACE vicino:: FILE vicinoConfig.cmake DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/vicinoConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)  # below 1.0 a minor version may break
install(FILES ${PROJECT_BINARY_DIR}/vicinoConfigVersion.cmake DESTINATION ${package_dir})

file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${PROJECT_SOURCE_DIR}/cmake/vicino.pc.in ${PROJECT_BINARY_DIR}/vicino.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/vicino.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
