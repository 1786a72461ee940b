# `cmake --install` runs this file. It moves the debug information of the installed libraries, which
# are fifteen times as large with it, into files of their own.
#
#     lib        the folder of the installed libraries
#     libraries  their names below it
#     objcopy, readelf
#
# Debuggers look for lib/debug/.build-id/xx/yyyy.debug by build id, below /usr without being told. They
# look for lib/.debug/NAME.debug, here a link to the former, beside a library that names it, under any
# prefix. A library without a build id or debug information stays as it is.
function(split_debug name)
  set(file ${lib}/${name})
  execute_process(COMMAND ${readelf} -nSW ${file} OUTPUT_VARIABLE told COMMAND_ERROR_IS_FATAL ANY)
  if(NOT told MATCHES "\\.debug_info" OR NOT told MATCHES "Build ID: ([0-9a-f][0-9a-f])([0-9a-f]+)")
    return()
  endif()
  set(by_id debug/.build-id/${CMAKE_MATCH_1}/${CMAKE_MATCH_2}.debug)
  cmake_path(GET file PARENT_PATH folder)
  cmake_path(GET file FILENAME base)
  set(linked ${folder}/.debug/${base}.debug)
  cmake_path(GET linked PARENT_PATH beside)
  set(kept ${lib}/${by_id})
  cmake_path(GET kept PARENT_PATH kept_folder)
  file(MAKE_DIRECTORY ${beside} ${kept_folder})
  # objcopy writes the name of this file into the library, so the file first has that name.
  file(REMOVE ${linked})
  execute_process(COMMAND ${objcopy} --only-keep-debug --compress-debug-sections ${file} ${linked}
    COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${objcopy} --strip-unneeded --remove-section=.gnu_debuglink
    --add-gnu-debuglink=${linked} ${file} COMMAND_ERROR_IS_FATAL ANY)
  file(RENAME ${linked} ${kept})
  file(RELATIVE_PATH target ${beside} ${kept})
  file(CREATE_LINK ${target} ${linked} SYMBOLIC)
endfunction()

foreach(name ${libraries})
  split_debug(${name})
endforeach()
