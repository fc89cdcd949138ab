# SPDX-License-Identifier: MIT
# caucus::compiled: what is no template, compiled once for all who link to it, with their project's
# own compiler and flags (see core/compiled.hpp). It is built only if something links to it.
if(NOT TARGET caucus_compiled)
    set(caucus_compiled_source ${CMAKE_CURRENT_BINARY_DIR}/caucus_compiled.cpp)
    file(CONFIGURE OUTPUT ${caucus_compiled_source} CONTENT "#include <caucus/compiled.hpp>\n")
    add_library(caucus_compiled STATIC EXCLUDE_FROM_ALL ${caucus_compiled_source})
    add_library(caucus::compiled ALIAS caucus_compiled)
    target_link_libraries(caucus_compiled PUBLIC caucus::caucus)
    target_compile_definitions(caucus_compiled PUBLIC CAUCUS_COMPILED)
endif()
