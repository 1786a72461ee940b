# What `cmake --install` lays down: everything is found from its own place, so the folder can be
# moved after it was installed, and one build serves any prefix.
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/vicino DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

if(TARGET vicino_cli)
  install(TARGETS vicino_cli DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(NOT TARGET vicino)
  return()
endif()

# libvicino.so -> libvicino.so.0 -> libvicino.so.0.1.0. The soname counts the ABI of vicino.h; those
# of kmpc and gomp are promised by their own names, in lib/vicino/replace.
set_target_properties(vicino PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} EXPORT_NAME vicino)

# A client brings the omp.h of its own compiler and gets the library of ours. -fopenmp stays out of
# the link line: there it would add the compiler's own runtime to the program.
target_include_directories(vicino INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_options(vicino INTERFACE $<INSTALL_INTERFACE:$<$<COMPILE_LANGUAGE:C,CXX,Fortran>:-fopenmp>>)
install(TARGETS vicino EXPORT vicino
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})

# The replacement folder: put first in LD_LIBRARY_PATH it gives every client of another runtime this
# one, once per process, because the loader knows files by inode. The build tree has the same shape.
#
# libgomp.so.1 is a hard link (src/CMakeLists.txt makes the build tree's), the others point to it: tools that look for OpenMP runtimes by their
# files' names, such as threadpoolctl, resolve symbolic links first.
set(replace_dir ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/vicino/replace)
file(MAKE_DIRECTORY ${replace_dir})
foreach(soname
    libomp.so.5   # Debian's clang and flang
    libomp.so     # clang and flang as LLVM, conda and vendors ship them
    libiomp5.so)  # Intel's compilers, MKL
  file(CREATE_LINK libgomp.so.1 ${replace_dir}/${soname} SYMBOLIC)
endforeach()
install(DIRECTORY ${replace_dir} DESTINATION ${CMAKE_INSTALL_LIBDIR}/vicino
  PATTERN libgomp.so.1 EXCLUDE)
install(CODE "
  set(lib \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}\")
  file(CREATE_LINK \${lib}/$<TARGET_FILE_NAME:vicino> \${lib}/vicino/replace/libgomp.so.1)")

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/vicino)
install(EXPORT vicino NAMESPACE vicino:: FILE vicinoConfig.cmake DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/vicinoConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)  # below 1.0 a minor version may break
install(FILES ${PROJECT_BINARY_DIR}/vicinoConfigVersion.cmake DESTINATION ${package_dir})

file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${PROJECT_SOURCE_DIR}/cmake/vicino.pc.in ${PROJECT_BINARY_DIR}/vicino.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/vicino.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
