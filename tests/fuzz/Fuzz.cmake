# One libFuzzer program a file; `ctest -L fuzz` runs each for PENSTOCK_FUZZ_SECONDS. Inputs that once
# broke something stay in tests/fuzz/corpus/NAME.
set(PENSTOCK_FUZZ_SECONDS 30 CACHE STRING "How long ctest runs each fuzz target")
file(GLOB fuzzers CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*_fuzz.cpp")
foreach(source ${fuzzers})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE penstock_server penstock_client penstock_warnings)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  set(found "${CMAKE_BINARY_DIR}/corpus/${name}")
  file(MAKE_DIRECTORY "${found}" "${CMAKE_CURRENT_LIST_DIR}/corpus/${name}")
  add_test(NAME fuzz.${name} COMMAND ${name} -max_total_time=${PENSTOCK_FUZZ_SECONDS} -timeout=10
           -rss_limit_mb=2048 -print_final_stats=1 "${found}" "${CMAKE_CURRENT_LIST_DIR}/corpus/${name}")
  set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz TIMEOUT 300)
endforeach()
