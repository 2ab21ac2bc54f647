# Third-party libraries, each from the distribution's packages. docs/adr/0002-libraries.md says why these.
if(PENSTOCK_STATIC)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
endif()
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tl-expected REQUIRED)
find_package(PNG REQUIRED)
find_package(yaml-cpp REQUIRED)

find_path(ASIO_INCLUDE_DIR asio.hpp REQUIRED)
add_library(asio INTERFACE)
target_include_directories(asio SYSTEM INTERFACE "${ASIO_INCLUDE_DIR}")
target_compile_definitions(asio INTERFACE ASIO_STANDALONE ASIO_NO_DEPRECATED)
target_link_libraries(asio INTERFACE Threads::Threads)

# spdlog and fmt have no static library in the distributions: `portable` compiles them in. yaml-cpp has
# one, which its CMake package does not mention.
if(PENSTOCK_STATIC)
  set(PENSTOCK_LOG_LIBRARIES spdlog::spdlog_header_only fmt::fmt-header-only)
  find_library(PENSTOCK_YAML_LIBRARY yaml-cpp REQUIRED)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a .so)  # what comes next is the driver's, or its toolkit's
  add_link_options(-static-libstdc++ -static-libgcc)
else()
  set(PENSTOCK_LOG_LIBRARIES spdlog::spdlog fmt::fmt)
  set(PENSTOCK_YAML_LIBRARY yaml-cpp)
endif()
