# find_package(fltc [COMPONENTS image])
#   fltc::fltc                the compiler
#   fltc_add_filter(...)      a filter as part of a target
#   fltc::image               flt/image.h, image files; of the component image
get_filename_component(fltc_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET fltc::fltc)
  add_executable(fltc::fltc IMPORTED)
  set_target_properties(fltc::fltc PROPERTIES IMPORTED_LOCATION "${fltc_PREFIX}/bin/fltc")
endif()

if("image" IN_LIST fltc_FIND_COMPONENTS AND NOT TARGET fltc::image)
  include(CMakeFindDependencyMacro)
  find_dependency(PNG)
  find_dependency(JPEG)
  find_dependency(TIFF)
  find_dependency(EXPAT)
  add_library(fltc::image STATIC IMPORTED)
  set_target_properties(fltc::image PROPERTIES
    IMPORTED_LOCATION "${fltc_PREFIX}/lib/libfltimage.a"
    IMPORTED_LINK_INTERFACE_LANGUAGES C
    INTERFACE_INCLUDE_DIRECTORIES "${fltc_PREFIX}/include"
    INTERFACE_LINK_LIBRARIES "PNG::PNG;JPEG::JPEG;TIFF::TIFF;EXPAT::EXPAT;m")
endif()
foreach(component IN LISTS fltc_FIND_COMPONENTS)
  if(component STREQUAL "image")
    set(fltc_${component}_FOUND TRUE)
  elseif(fltc_FIND_REQUIRED_${component})
    set(fltc_FOUND FALSE)
    set(fltc_NOT_FOUND_MESSAGE "fltc has no component '${component}'; it has: image")
  endif()
endforeach()

# fltc_add_filter(TARGET FILE name.flt [FILTER name] [OUTPUT stem] [FFT given] [CONSTANTS name=value...]
#                 [TYPES T=u8...])
# The filter, as C, becomes a source of the target, made anew when the file or one that it imports
# changes. The target includes "stem.h"; the stem is the file's name, or OUTPUT. With OpenMP, found
# before by find_package(OpenMP), it uses threads; results are the same. FFT given: the filter is opened
# with a library, flt/fft.h.
function(fltc_add_filter target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FILE;FILTER;OUTPUT;FFT" "CONSTANTS;TYPES")
  if(NOT arg_FILE OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "fltc_add_filter(TARGET FILE name.flt [FILTER name] [OUTPUT stem] [FFT given] "
      "[CONSTANTS name=value...] [TYPES T=u8...])")
  endif()
  get_filename_component(file "${arg_FILE}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  if(NOT arg_OUTPUT)
    get_filename_component(arg_OUTPUT "${file}" NAME_WE)
  endif()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}_filters")
  set(source "${folder}/${arg_OUTPUT}.c")
  set(options "")
  if(arg_FILTER)
    list(APPEND options --filter "${arg_FILTER}")
  endif()
  if(arg_FFT)
    list(APPEND options --fft "${arg_FFT}")
    target_include_directories(${target} PRIVATE "${fltc_PREFIX}/include")
  endif()
  foreach(constant IN LISTS arg_CONSTANTS)
    list(APPEND options --param "${constant}")
  endforeach()
  foreach(type IN LISTS arg_TYPES)
    list(APPEND options --type "${type}")
  endforeach()
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(
    OUTPUT "${source}" "${folder}/${arg_OUTPUT}.h"
    COMMAND fltc::fltc emit "${file}" -o "${source}" --depfile "${source}.d" ${options}
    DEPENDS "${file}" fltc::fltc
    DEPFILE "${source}.d"
    COMMENT "fltc ${arg_FILE}"
    VERBATIM)
  target_sources(${target} PRIVATE "${source}")
  target_include_directories(${target} PRIVATE "${folder}")
  if(UNIX)
    target_link_libraries(${target} PRIVATE m)
  endif()
  if(TARGET OpenMP::OpenMP_C)
    target_link_libraries(${target} PRIVATE OpenMP::OpenMP_C)
  endif()
endfunction()
