# find_package(fltc [COMPONENTS image compiler])
#   fltc::fltc                the compiler
#   fltc_add_filter(...)      a filter as part of a target
#   fltc::image               flt/image.h, image files; of the component image
#   fltc::compiler            flt/compiler.h, the compiler as a library; of the component compiler
# A project in C, in C++ alone, or in both.
cmake_policy(PUSH)
cmake_policy(VERSION 3.20)
get_filename_component(fltc_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET fltc::fltc)
  add_executable(fltc::fltc IMPORTED)
  set_target_properties(fltc::fltc PROPERTIES IMPORTED_LOCATION "${fltc_PREFIX}/bin/fltc")
endif()

foreach(component IN LISTS fltc_FIND_COMPONENTS)
  if(component MATCHES "^(image|compiler)$")
    set(fltc_${component}_FOUND TRUE)
  elseif(fltc_FIND_REQUIRED_${component})
    set(fltc_FOUND FALSE)
    set(fltc_NOT_FOUND_MESSAGE "fltc has no component '${component}'; it has: image, compiler")
  endif()
endforeach()

if("compiler" IN_LIST fltc_FIND_COMPONENTS AND NOT TARGET fltc::compiler)
  add_library(fltc::compiler SHARED IMPORTED)
  set_target_properties(fltc::compiler PROPERTIES
    IMPORTED_LOCATION "${fltc_PREFIX}/lib/libfltc.so.0"
    IMPORTED_SONAME libfltc.so.0
    INTERFACE_INCLUDE_DIRECTORIES "${fltc_PREFIX}/include")
endif()

# fltc_add_filter(TARGET FILE name.flt [FILTER name] [OUTPUT stem] [FFT given] [CONSTANTS name=value...]
#                 [TYPES T=u8...] [OPTIONS option...])
# The filter becomes a source of the target, made anew when the file, one that it imports or fltc
# changes. The target, and what links it, includes "stem.h"; the stem is the file's name, or OUTPUT. With
# OpenMP, found before by find_package(OpenMP), it uses threads; results are the same. FFT given: the
# filter is opened with a library, flt/fft.h. OPTIONS: more options of `fltc emit`, such as
# --cpu multi, --fast or --target cuda; folders and files in them are relative to the current source folder.
# The source is C, which is compiled as C++ where the project has C++ alone.
function(fltc_add_filter target)
  set(usage "fltc_add_filter(TARGET FILE name.flt [FILTER name] [OUTPUT stem] [FFT given] "
    "[CONSTANTS name=value...] [TYPES T=u8...] [OPTIONS option...])")
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FILE;FILTER;OUTPUT;FFT" "CONSTANTS;TYPES;OPTIONS")
  if(NOT arg_FILE OR arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR ${usage})
  endif()
  fltc_check_target(${target} directory)
  get_filename_component(file "${arg_FILE}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  if(NOT arg_OUTPUT)
    get_filename_component(arg_OUTPUT "${file}" NAME_WLE)
  endif()
  if(arg_OUTPUT MATCHES "\\.(c|h|cu|cpp)$")
    message(FATAL_ERROR "fltc_add_filter: OUTPUT ${arg_OUTPUT} is a name with its ending; write the "
      "name alone, and include \"NAME.h\"")
  endif()
  fltc_read_options("${arg_OPTIONS}" options kind)
  fltc_choose_language(${target} "${directory}" "${kind}" language)
  set(prefix "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../..")
  get_filename_component(prefix "${prefix}" ABSOLUTE)
  set(compiler "${prefix}/bin/fltc")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}_filters")
  set(source "${folder}/${arg_OUTPUT}.c")
  if(language STREQUAL "CUDA")
    set(source "${folder}/${arg_OUTPUT}.cu")
  endif()
  get_target_property(known ${target} FLTC_SOURCES)
  if(source IN_LIST known)
    message(FATAL_ERROR "fltc_add_filter: two filters of '${target}' have the name '${arg_OUTPUT}'; give "
      "one of them another by OUTPUT")
  endif()
  set_property(TARGET ${target} APPEND PROPERTY FLTC_SOURCES "${source}")

  if(arg_FILTER)
    list(APPEND options --filter "${arg_FILTER}")
  endif()
  if(arg_FFT)
    list(APPEND options --fft "${arg_FFT}")
    target_include_directories(${target} PRIVATE "${prefix}/include")
  endif()
  foreach(constant IN LISTS arg_CONSTANTS)
    list(APPEND options --param "${constant}")
  endforeach()
  foreach(type IN LISTS arg_TYPES)
    list(APPEND options --type "${type}")
  endforeach()
  file(MAKE_DIRECTORY "${folder}")
  fltc_read_dependencies("${file}" "${source}.d" dependencies)
  add_custom_command(
    OUTPUT "${source}" "${folder}/${arg_OUTPUT}.h"
    COMMAND "${compiler}" emit "${file}" -o "${source}" --depfile "${source}.d" ${options}
    DEPENDS "${file}" "${compiler}" ${dependencies}
    COMMENT "fltc ${arg_FILE}"
    COMMAND_EXPAND_LISTS
    VERBATIM)
  fltc_use_source(${target} "${directory}" "${source}" "${folder}" ${language})
  fltc_link(${target} ${language} "${kind}")
endfunction()

# A target that has sources of its own; *directory: where it was added.
function(fltc_check_target target directory)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "fltc_add_filter: there is no target '${target}'; call add_executable or "
      "add_library before")
  endif()
  get_target_property(alias ${target} ALIASED_TARGET)
  get_target_property(imported ${target} IMPORTED)
  get_target_property(type ${target} TYPE)
  if(alias OR imported OR NOT type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY)$")
    message(FATAL_ERROR "fltc_add_filter: '${target}' has no sources of its own; name an executable, or "
      "a static, shared, module or object library")
  endif()
  get_target_property(source_directory ${target} SOURCE_DIR)
  set(${directory} "${source_directory}" PARENT_SCOPE)
endfunction()

# Options of `fltc emit`, with absolute paths. *kind: the target among them, or c.
function(fltc_read_options given options kind)
  set(result "")
  set(target "c")
  set(before "")
  foreach(option IN LISTS given)
    if(option MATCHES "^(-o|--output|--depfile|--dump|--dump-dir|--stop-after|--print-passes)" OR
        (option MATCHES "^-" AND before STREQUAL "--target"))
      message(FATAL_ERROR "fltc_add_filter: OPTIONS cannot take '${option}': the target's sources are "
        "named by OUTPUT, and written whole")
    endif()
    if(option MATCHES "^--target=(.*)" OR before STREQUAL "--target")
      string(REGEX REPLACE "^--target=" "" target "${option}")
    elseif(option MATCHES "^(--include|--with)=(.*)")
      get_filename_component(path "${CMAKE_MATCH_2}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
      set(option "${CMAKE_MATCH_1}=${path}")
    elseif(before MATCHES "^(--include|--with)$")
      get_filename_component(option "${option}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
    endif()
    list(APPEND result "${option}")
    set(before "${option}")
  endforeach()
  if(NOT target MATCHES "^(c|opencl|cuda)$")
    message(FATAL_ERROR "fltc_add_filter: OPTIONS --target ${target}: a program takes filters as c, opencl "
      "or cuda")
  endif()
  set(${options} "${result}" PARENT_SCOPE)
  set(${kind} "${target}" PARENT_SCOPE)
endfunction()

# What the source depends on beside its file. Rules of make that CMake 3.25 writes for a DEPFILE in a folder
# of the build with a space are wrong: there it depends on all filters beside the file and below.
function(fltc_read_dependencies file depfile dependencies)
  file(RELATIVE_PATH folder "${CMAKE_BINARY_DIR}" "${CMAKE_CURRENT_BINARY_DIR}")
  set(result DEPFILE "${depfile}")
  if(CMAKE_GENERATOR MATCHES "Makefiles" AND folder MATCHES " ")
    get_filename_component(beside "${file}" DIRECTORY)
    file(GLOB_RECURSE result CONFIGURE_DEPENDS "${beside}/*.flt")
  endif()
  set(${dependencies} "${result}" PARENT_SCOPE)
endfunction()

# What the source is compiled as: of the languages that are enabled where the target was added.
function(fltc_choose_language target directory kind language)
  foreach(candidate C CXX CUDA)
    get_directory_property(has_${candidate} DIRECTORY "${directory}" DEFINITION
      CMAKE_${candidate}_COMPILE_OBJECT)
    if(directory STREQUAL CMAKE_CURRENT_SOURCE_DIR)
      set(has_${candidate} "${CMAKE_${candidate}_COMPILE_OBJECT}")
    endif()
  endforeach()
  if(kind STREQUAL "cuda" AND has_CUDA)
    set(result CUDA)
  elseif(kind STREQUAL "cuda")
    set(missing CUDA)
  elseif(has_C)
    set(result C)
  elseif(has_CXX)
    set(result CXX)
  else()
    set(missing C)
  endif()
  if(missing)
    message(FATAL_ERROR "fltc_add_filter: '${target}' needs a compiler of ${missing}, which is not enabled; "
      "write project(... LANGUAGES ${missing}), or enable_language(${missing}) in the topmost "
      "CMakeLists.txt")
  endif()
  set(${language} ${result} PARENT_SCOPE)
endfunction()

# The source is compiled by itself, in a standard that it is written in (C++ has its hexadecimal floats from
# 2017 on) and without the program's warnings; its header is found.
function(fltc_use_source target directory source folder language)
  target_sources(${target} PRIVATE "${source}")
  set_source_files_properties("${source}" TARGET_DIRECTORY ${target} PROPERTIES
    GENERATED TRUE LANGUAGE ${language} SKIP_UNITY_BUILD_INCLUSION TRUE SKIP_PRECOMPILE_HEADERS TRUE
    SKIP_AUTOGEN TRUE SKIP_LINTING TRUE CXX_SCAN_FOR_MODULES FALSE)
  if(CMAKE_${language}_COMPILER_ID MATCHES "GNU|Clang" AND NOT language STREQUAL "CUDA")
    set(standard_C "-std=gnu99")
    set(standard_CXX "-std=gnu++17")
    set_source_files_properties("${source}" TARGET_DIRECTORY ${target} PROPERTIES
      COMPILE_OPTIONS "-w;${standard_${language}}")
  endif()
  if(NOT directory STREQUAL CMAKE_CURRENT_SOURCE_DIR) # the rule is here, and not known there
    string(MAKE_C_IDENTIFIER "${target}_${source}" name)
    add_custom_target(${name} DEPENDS "${source}")
    add_dependencies(${target} ${name})
  endif()
  target_include_directories(${target} PRIVATE "${folder}")
  get_target_property(type ${target} TYPE)
  if(type MATCHES "LIBRARY$")
    target_include_directories(${target} INTERFACE "$<BUILD_INTERFACE:${folder}>")
  endif()
endfunction()

# By properties: target_link_libraries would ask the program to write PRIVATE or PUBLIC in its own calls.
function(fltc_link target language kind)
  set(libraries "")
  if(UNIX)
    list(APPEND libraries m)
  endif()
  if(kind STREQUAL "c" AND TARGET OpenMP::OpenMP_${language})
    list(APPEND libraries OpenMP::OpenMP_${language})
  elseif(kind STREQUAL "opencl" AND TARGET OpenCL::OpenCL)
    list(APPEND libraries OpenCL::OpenCL)
  elseif(kind STREQUAL "opencl")
    message(FATAL_ERROR "fltc_add_filter: OPTIONS --target opencl needs OpenCL::OpenCL; write "
      "find_package(OpenCL REQUIRED) before")
  endif()
  get_target_property(type ${target} TYPE)
  foreach(library IN LISTS libraries)
    set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES "${library}")
    if(type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
      set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES "$<LINK_ONLY:${library}>")
    endif()
  endforeach()
endfunction()

# Last: where a library is missing, find_dependency returns from this file.
cmake_policy(POP)
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
