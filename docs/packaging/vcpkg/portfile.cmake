# An overlay port: vcpkg install watchlab --overlay-ports=docs/packaging/vcpkg. Sources are those of the checkout that
# WATCHLAB_SOURCE names, because no address is published yet; this file's own if it is not set.
vcpkg_check_linkage(ONLY_DYNAMIC_LIBRARY)

if(DEFINED ENV{WATCHLAB_SOURCE})
  set(SOURCE_PATH "$ENV{WATCHLAB_SOURCE}")
else()
  get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
endif()

vcpkg_configure_meson(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    -Dprograms=disabled
    -Dunity=on
    -Dwerror=false
)
vcpkg_install_meson()
vcpkg_fixup_pkgconfig()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/watchlab)

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
