# `cmake --install build/release --prefix /usr`: the two programs, the sender library with its one
# header, the examples and the systemd unit.
include(GNUInstallDirs)
install(TARGETS penstock penstock-load RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES client/sender.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/penstock)
install(DIRECTORY deploy/examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES deploy/systemd/penstock.service DESTINATION lib/systemd/system)

# The sender library as one archive, so that a rig links it without knowing our modules.
add_library(penstock_sender STATIC
  client/sender.cpp client/connection.cpp net/tcp/socket_options.cpp net/wire/message.cpp
  net/wire/control.cpp net/wire/crc32c.cpp base/log.cpp)
target_link_libraries(penstock_sender PRIVATE asio tl::expected ${PENSTOCK_LOG_LIBRARIES} penstock_warnings)
install(TARGETS penstock_sender ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
