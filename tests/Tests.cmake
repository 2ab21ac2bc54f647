find_package(GTest REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
include(GoogleTest)

set(PENSTOCK_CAPTURES "${CMAKE_CURRENT_SOURCE_DIR}/../shared/captures" CACHE PATH "Real captures, for tests")

file(GLOB support CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tests/support/*.cpp")
add_library(penstock_test_support STATIC ${support})
target_link_libraries(penstock_test_support PUBLIC penstock_buffer)
target_compile_definitions(penstock_test_support PUBLIC PENSTOCK_SOURCE_DIR="${CMAKE_CURRENT_SOURCE_DIR}")

penstock_tests(unit base DEPENDS base)
penstock_tests(unit buffer DEPENDS buffer)
penstock_tests(unit net DEPENDS net)
penstock_tests(unit kernels DEPENDS kernels)
penstock_tests(unit gpu DEPENDS gpu)
penstock_tests(unit sink DEPENDS sink)
penstock_tests(unit server DEPENDS server)
penstock_tests(unit client DEPENDS client)
penstock_tests(contract gpu DEPENDS gpu)

# Programs in Python: the real processes over loopback, and the checks of the house. 77: skipped, and
# the output says why.
function(penstock_script kind file)
  get_filename_component(name ${file} NAME_WE)
  string(REGEX REPLACE "_test$" "" name ${name})
  add_test(NAME ${kind}.${name} COMMAND Python3::Interpreter ${file})
  set_tests_properties(${kind}.${name} PROPERTIES LABELS ${kind} SKIP_RETURN_CODE 77 TIMEOUT 1200 ENVIRONMENT
    "PENSTOCK_BIN=$<TARGET_FILE:penstock>;PENSTOCK_LOAD_BIN=$<TARGET_FILE:penstock-load>;PENSTOCK_CAPTURES=${PENSTOCK_CAPTURES};PENSTOCK_BUILD=${CMAKE_BINARY_DIR}")
endfunction()
file(GLOB integration CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tests/integration/*_test.py")
file(GLOB house CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tests/house/*_test.py")
foreach(file ${integration})
  penstock_script(integration ${file})
endforeach()
# The port that the captures were sent to can be had once.
set_tests_properties(integration.udp PROPERTIES RESOURCE_LOCK udp_2368)

# ./test.sh sets this in the first build: everything below is then one line of ctest's summary each.
option(PENSTOCK_SUITES "Also run the other builds' suites, the house's checks and the containers" OFF)
if(PENSTOCK_SUITES)
  foreach(file ${house})
    penstock_script(house ${file})
  endforeach()
  foreach(build asan tsan fuzz)
    add_test(NAME suite.${build} COMMAND ${CMAKE_CTEST_COMMAND} --test-dir "${CMAKE_SOURCE_DIR}/build/${build}" --output-on-failure -j2)
    set_tests_properties(suite.${build} PROPERTIES LABELS suite TIMEOUT 2400 RESOURCE_LOCK udp_2368)
  endforeach()
endif()
