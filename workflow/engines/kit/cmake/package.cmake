# What every package of these folders is compiled and tested with. Included after project(), once
# for a folder and those below it.
include_guard(DIRECTORY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/../VERSION")
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()

option(TCP_ATLAS_TESTS "build the tests" ${PROJECT_IS_TOP_LEVEL})
option(TCP_ATLAS_WERROR "take a warning for an error" OFF)

# Contracting a*b+c into one rounding would make results depend on the processor: a seed must give the same bytes
# everywhere.
if(NOT DEFINED warnings)
  set(warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion $<$<BOOL:${TCP_ATLAS_WERROR}>:-Werror>)
endif()
add_compile_options(${warnings} -ffp-contract=off)

# Several sources are compiled at once (-DCMAKE_UNITY_BUILD=OFF: one by one, for work on one of them): most of the time
# goes into the same templates of the same libraries. As many at once as leave work for two cores.
if(NOT DEFINED CMAKE_UNITY_BUILD)
  set(CMAKE_UNITY_BUILD ON)
endif()
set(CMAKE_UNITY_BUILD_BATCH_SIZE 9)

# ccache, if it is installed, reuses the object files of any other copy of the tree: it hashes paths relative to the tree,
# and __FILE__, which ns-3's logs and GoogleTest's messages contain, is such a path too.
find_program(CCACHE ccache)
if(CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  cmake_path(SET tree NORMALIZE "${CMAKE_SOURCE_DIR}/../../")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${tree}" CCACHE_NOHASHDIR=1 "${CCACHE}")
  add_compile_options("-fmacro-prefix-map=${tree}=")
endif()

if(TCP_ATLAS_TESTS)
  enable_testing()
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()

# add_engine_tests(target [PREFIX prefix] LIBRARIES library... SOURCES source...): GoogleTest programs, whose tests CTest
# runs one by one, under names that start with the prefix; those of suites named Slow... have CTest's label slow.
function(add_engine_tests target)
  if(NOT TCP_ATLAS_TESTS)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 given "" PREFIX "LIBRARIES;SOURCES")
  add_executable(${target} ${given_SOURCES})
  target_link_libraries(${target} PRIVATE ${given_LIBRARIES} GTest::gtest_main)
  # Tests take longer to compile than to run. The libraries that they link keep the optimisation of the runs.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  gtest_discover_tests(${target} TEST_PREFIX "${given_PREFIX}" TEST_FILTER "-Slow*" DISCOVERY_TIMEOUT 60)
  gtest_discover_tests(${target} TEST_PREFIX "${given_PREFIX}" TEST_FILTER "Slow*" TEST_LIST ${target}_SLOW
    PROPERTIES LABELS slow DISCOVERY_TIMEOUT 60)
endfunction()

# add_bytes_test(engine): the engine's runs of the points in tests/bytes are those that are accepted. A package that is
# built alone does without, where there is no Python.
function(add_bytes_test engine)
  if(NOT TCP_ATLAS_TESTS)
    return()
  endif()
  find_package(Python3 COMPONENTS Interpreter)
  if(Python3_FOUND)
    add_test(NAME ${engine}.SameBytes COMMAND "${Python3_EXECUTABLE}"
      "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../tests/same_bytes.py"
      "$<TARGET_FILE:${engine}>" "${CMAKE_CURRENT_SOURCE_DIR}/tests/bytes")
  elseif(PROJECT_IS_TOP_LEVEL)
    message(NOTICE "Without Python the test ${engine}.SameBytes is left out")
  else()
    message(FATAL_ERROR "Python is not installed")
  endif()
endfunction()
