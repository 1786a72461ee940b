# Builds for a processor and a C library that need not be this machine's, by the compiler of PyPI's ziglang.
#
#     VICINO_ZIG     a folder with the commands cc, c++ and ar, each of which calls zig for one target (packaging/dist)
#     VICINO_CPU     the target's processor: x86_64 or aarch64
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES VICINO_ZIG VICINO_CPU)
if(NOT VICINO_CPU STREQUAL CMAKE_HOST_SYSTEM_PROCESSOR)
  set(CMAKE_SYSTEM_NAME Linux)
  set(CMAKE_SYSTEM_PROCESSOR ${VICINO_CPU})
endif()
set(CMAKE_C_COMPILER ${VICINO_ZIG}/cc)
set(CMAKE_CXX_COMPILER ${VICINO_ZIG}/c++)
set(CMAKE_AR ${VICINO_ZIG}/ar CACHE FILEPATH "")
set(CMAKE_RANLIB ${VICINO_ZIG}/ranlib CACHE FILEPATH "")
