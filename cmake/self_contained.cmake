# vicino_self_contained(TARGET): a library that is loaded into other people's processes. It is never unloaded, brings
# the C++ library with it, and shows nothing of it.
function(vicino_self_contained target)
  target_link_options(${target} PRIVATE LINKER:-z,nodelete LINKER:--build-id=sha1)
  if(VICINO_HEADERS)
    return()  # the C++ library of zig is static and hidden
  endif()
  target_link_options(${target} PRIVATE LINKER:--exclude-libs,ALL)
  if(NOT VICINO_SANITIZE)
    target_link_options(${target} PRIVATE LINKER:--no-undefined LINKER:--as-needed -static-libstdc++ -static-libgcc)
  endif()
endfunction()
