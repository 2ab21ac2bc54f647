# Warnings are errors for our own sources; libraries come in as system headers.
add_library(penstock_warnings INTERFACE)
target_compile_options(penstock_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
    -Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual -Werror>)
