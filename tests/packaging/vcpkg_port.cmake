# Plays the port of vcpkg without vcpkg: its functions do here what their documentation says of them, as far as the
# port uses them. cmake -DPORT=… -DPLACE=… -P vcpkg_port.cmake leaves the package in PLACE/packages.
cmake_minimum_required(VERSION 3.21)
set(CURRENT_PACKAGES_DIR "${PLACE}/packages")
set(CURRENT_BUILDTREES_DIR "${PLACE}/buildtrees")

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY OUTPUT_FILE "${PLACE}/log.txt" ERROR_FILE "${PLACE}/log.txt")
endfunction()

function(vcpkg_check_linkage)
  if(NOT "ONLY_DYNAMIC_LIBRARY" IN_LIST ARGN)
    message(FATAL_ERROR "the libraries are shared ones")
  endif()
endfunction()

function(vcpkg_configure_meson)
  cmake_parse_arguments(arg "" "SOURCE_PATH" "OPTIONS" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "vcpkg_configure_meson has no ${arg_UNPARSED_ARGUMENTS}")
  endif()
  run(meson setup "${CURRENT_BUILDTREES_DIR}" "${arg_SOURCE_PATH}" --buildtype=release
      "--prefix=${CURRENT_PACKAGES_DIR}" --libdir=lib --default-library=shared ${arg_OPTIONS})
endfunction()

function(vcpkg_install_meson)
  run(meson install -C "${CURRENT_BUILDTREES_DIR}" --quiet)
endfunction()

function(vcpkg_fixup_pkgconfig)
  file(GLOB modules "${CURRENT_PACKAGES_DIR}/lib/pkgconfig/*.pc")
  list(LENGTH modules count)
  if(NOT count EQUAL 5)
    message(FATAL_ERROR "${count} pkg-config modules, not five")
  endif()
endfunction()

function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(arg "" "CONFIG_PATH;PACKAGE_NAME" "" ${ARGN})
  if(NOT EXISTS "${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}/watchlab-config.cmake")
    message(FATAL_ERROR "no watchlab-config.cmake in ${arg_CONFIG_PATH}")
  endif()
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(arg "" "" "FILE_LIST" ${ARGN})
  file(MAKE_DIRECTORY "${CURRENT_PACKAGES_DIR}/share/watchlab")
  file(COPY_FILE "${arg_FILE_LIST}" "${CURRENT_PACKAGES_DIR}/share/watchlab/copyright")
endfunction()

include("${PORT}/portfile.cmake")
