# PENSTOCK_SANITIZE=address,undefined (preset asan) or thread (preset tsan), for every target.
if(PENSTOCK_SANITIZE)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${PENSTOCK_SANITIZE}>
                      $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>
                      $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=all>)
  add_link_options(-fsanitize=${PENSTOCK_SANITIZE})
endif()
# The libraries record which inputs reach which code; only the fuzz programs link libFuzzer itself.
if(PENSTOCK_FUZZ)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link>)
endif()
# GCC says that ThreadSanitizer does not model fences. Ours order a flag against a wake-up (base/waker.hpp);
# the data behind it travels through rings with their own acquire and release.
if(PENSTOCK_SANITIZE STREQUAL "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-tsan>)
endif()
