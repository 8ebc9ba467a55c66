# The test program addnorm_tests (where Catch2 and nlohmann/json are found) and
# the benchmark addnorm_bench; under Emscripten both run in Node.
set(ADDNORM_NODE_COMPILE_OPTIONS)
set(ADDNORM_NODE_LINK_OPTIONS)
if(EMSCRIPTEN)
  # Glue that is compiled as it is loaded needs no fetch; real files by real
  # paths; package.json says "type": "module", so the suffix has to be .cjs.
  set(ADDNORM_NODE_COMPILE_OPTIONS -fexceptions)
  set(ADDNORM_NODE_LINK_OPTIONS -fexceptions -sWASM_ASYNC_COMPILATION=0
      -sNODERAWFS=1 -sEXIT_RUNTIME=1 -sALLOW_MEMORY_GROWTH=1
      -sTOTAL_STACK=1MB -sENVIRONMENT=node
      --pre-js "${CMAKE_CURRENT_LIST_DIR}/support/node_environment.js")
endif()

# A program of the tests' own flags that finds the headers below tests/.
function(addnorm_add_program name)
  add_executable(${name} ${ARGN})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(${name} PRIVATE addnorm)
  target_compile_options(${name} PRIVATE ${ADDNORM_NODE_COMPILE_OPTIONS})
  target_link_options(${name} PRIVATE ${ADDNORM_NODE_LINK_OPTIONS})
  if(EMSCRIPTEN)
    set_target_properties(${name} PROPERTIES SUFFIX .cjs)
  endif()
endfunction()

addnorm_add_program(addnorm_bench
  tests/bench/add_norm_bench.cc
  tests/bench/layer_norm_bench.cc
  tests/bench/main.cc
  tests/bench/residual_add_bench.cc
  tests/bench/rms_norm_bench.cc
  tests/bench/row_stats_bench.cc
  tests/bench/support/limits.cc
  tests/bench/support/table.cc)

# Which Catch2 there is: version 2 is headers, compiled by one file of ours;
# version 3 is a library, which for wasm has to be compiled too.
set(catch2_version 0)
if(EMSCRIPTEN)
  if(EXISTS "${ADDNORM_INCLUDE_DIR}/catch2/catch.hpp")
    set(catch2_version 2)
  elseif(EXISTS "${CATCH2_SOURCE_DIR}/extras/catch_amalgamated.cpp")
    set(catch2_version 3)
  endif()
  find_path(json_folder nlohmann/json.hpp PATHS "${ADDNORM_INCLUDE_DIR}"
            NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  set(json_is_found ${json_folder})
else()
  find_package(Catch2 QUIET CONFIG)
  if(Catch2_FOUND)
    set(catch2_version ${Catch2_VERSION})
  endif()
  find_package(nlohmann_json QUIET CONFIG)
  set(json_is_found ${nlohmann_json_FOUND})
endif()
if(NOT json_is_found OR NOT catch2_version)
  message(STATUS "addnorm_tests is left out: it needs Catch2 and nlohmann/json")
  return()
endif()

# catch2_main: Catch2 with its main().
if(catch2_version VERSION_LESS 3)
  add_library(catch2_main STATIC tests/cpp/support/catch2_main.cc)
  # Optimized, this one file would compile longer than all the tests.
  target_compile_options(catch2_main PRIVATE -O0 -fno-sanitize=all)
elseif(EMSCRIPTEN)
  add_library(catch2_main STATIC
    "${CATCH2_SOURCE_DIR}/extras/catch_amalgamated.cpp")
  target_include_directories(catch2_main SYSTEM PRIVATE
    "${CATCH2_SOURCE_DIR}/extras")
else()
  add_library(catch2_main INTERFACE)
  target_link_libraries(catch2_main INTERFACE Catch2::Catch2WithMain)
endif()
if(EMSCRIPTEN)
  target_include_directories(catch2_main SYSTEM PUBLIC "${ADDNORM_INCLUDE_DIR}")
  target_compile_options(catch2_main PRIVATE ${ADDNORM_NODE_COMPILE_OPTIONS} -w)
elseif(catch2_version VERSION_LESS 3)
  target_link_libraries(catch2_main PUBLIC Catch2::Catch2)
endif()

file(GLOB test_files CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*_test.cc")
addnorm_add_program(addnorm_tests ${test_files})
target_compile_definitions(addnorm_tests PRIVATE
  ADDNORM_GOLDEN_DIR="${PROJECT_SOURCE_DIR}/tests/golden")
# Optimized as the library is, the tests would take three times as long to
# compile; instrumented, they take twice as long optimized at all.
target_compile_options(addnorm_tests PRIVATE
  $<IF:$<BOOL:${ADDNORM_SANITIZE}>,-O0,-O1>)
if(ADDNORM_SANITIZE)
  target_compile_definitions(addnorm_tests PRIVATE ADDNORM_SANITIZED)
endif()
target_link_libraries(addnorm_tests PRIVATE catch2_main)
if(NOT EMSCRIPTEN)
  target_link_libraries(addnorm_tests PRIVATE nlohmann_json::nlohmann_json)
endif()
