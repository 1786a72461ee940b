# Makes a libomp.so that has the functions which some objects call, and nothing in them (kit.cmake). A program that
# is linked with it finds the functions of whatever libomp.so is there when it starts.
#
#     OBJECTS  their files, a | between two of them
#     LINK     the command that compiles and links, a | between two words
#     LIBRARY  the file to make
string(REPLACE "|" ";" OBJECTS "${OBJECTS}")
string(REPLACE "|" ";" LINK "${LINK}")
# The names are among the strings of the files: this system's nm may not know the other's objects. A string that is
# none of them adds a function that nobody calls.
set(names "")
foreach(object IN LISTS OBJECTS)
  file(STRINGS ${object} strings REGEX "(__kmpc_|ompc?_|kmp_)[A-Za-z0-9_]+")
  string(REGEX MATCHALL "(__kmpc_|ompc?_|kmp_)[A-Za-z0-9_]+" found "${strings}")
  list(APPEND names ${found})
endforeach()
list(REMOVE_DUPLICATES names)
set(source "")
foreach(name IN LISTS names)
  string(APPEND source "void ${name}(void) {}\n")
endforeach()
cmake_path(GET LIBRARY PARENT_PATH folder)
file(MAKE_DIRECTORY ${folder})
file(WRITE ${folder}/names.c "${source}")
execute_process(COMMAND ${LINK} -shared -fPIC -w -fno-builtin -Wl,-soname,libomp.so ${folder}/names.c -o ${LIBRARY}
  COMMAND_ERROR_IS_FATAL ANY)
