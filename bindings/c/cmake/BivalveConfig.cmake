# Finds Bivalve for CMake: find_package(Bivalve CONFIG) with Bivalve_DIR or CMAKE_PREFIX_PATH at this file.
#
# The target Bivalve::Bivalve has bivalve.h, bivalve.hpp and the library with what it needs; Bivalve::DropIn has the
# headers in the place of Boolector's and STP's as well. The library is looked for in the folder of installation (lib
# and include three folders above this file), and in BIVALVE_LIBRARY_DIR.
get_filename_component(_bivalve_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(_bivalve_sources "${CMAKE_CURRENT_LIST_DIR}/../include")
find_library(BIVALVE_LIBRARY NAMES bivalve_c HINTS ${BIVALVE_LIBRARY_DIR} "${_bivalve_prefix}/lib")
find_path(BIVALVE_INCLUDE_DIR NAMES bivalve.h PATHS "${_bivalve_sources}" "${_bivalve_prefix}/include" NO_DEFAULT_PATH)
find_path(BIVALVE_DROP_IN_INCLUDE_DIR NAMES boolector.h
  PATHS "${_bivalve_sources}" "${_bivalve_prefix}/include/bivalve" NO_DEFAULT_PATH)
if(NOT BIVALVE_LIBRARY OR NOT BIVALVE_INCLUDE_DIR)
  set(Bivalve_FOUND FALSE)
  set(Bivalve_NOT_FOUND_MESSAGE "set BIVALVE_LIBRARY_DIR to the folder of libbivalve_c.a")
  return()
endif()
find_package(Threads REQUIRED)
if(NOT TARGET Bivalve::Bivalve)
  add_library(Bivalve::Bivalve UNKNOWN IMPORTED)
  set_target_properties(Bivalve::Bivalve PROPERTIES
    IMPORTED_LOCATION "${BIVALVE_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${BIVALVE_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "stdc++;m;Threads::Threads;${CMAKE_DL_LIBS}")
  add_library(Bivalve::DropIn INTERFACE IMPORTED)
  set_target_properties(Bivalve::DropIn PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${BIVALVE_DROP_IN_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES Bivalve::Bivalve)
endif()
