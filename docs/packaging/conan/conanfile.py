"""Conan 2 recipe of the libraries of watchlab: `conan create docs/packaging/conan --version 0.2.0` in a checkout.

With `-o watchlab/*:system_libraries=True` Boost, fmt, yaml-cpp, OpenSSL and zlib are those of the system.
"""

import os

from conan import ConanFile
from conan.tools.files import copy
from conan.tools.gnu import PkgConfigDeps
from conan.tools.layout import basic_layout
from conan.tools.meson import Meson, MesonToolchain

LIBRARIES = ("core", "port", "client", "sim", "scenarios")
SOURCES = ("core", "sim", "scenarios", "docs/packaging", "docs/scenario.schema.json", "meson.build",
           "meson_options.txt", "LICENSE")


class Watchlab(ConanFile):
    name = "watchlab"
    description = "Deterministic simulation of the Kubernetes list-watch machinery"
    license = "Apache-2.0"
    topics = ("kubernetes", "simulation", "concurrency", "testing")
    package_type = "shared-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"system_libraries": [True, False]}
    default_options = {"system_libraries": False}

    def export_sources(self):
        root = os.path.normpath(os.path.join(self.recipe_folder, "..", "..", ".."))
        for each in SOURCES:
            pattern = f"{each}/*" if os.path.isdir(os.path.join(root, each)) else each
            copy(self, pattern, root, self.export_sources_folder)

    def requirements(self):
        if not self.options.system_libraries:
            self.requires("boost/[>=1.81 <2]", transitive_headers=True)
            self.requires("fmt/[>=9]", transitive_headers=True)
            self.requires("yaml-cpp/[>=0.7 <1]")
            self.requires("openssl/[>=3 <4]")
            self.requires("zlib/[>=1.2 <2]")

    def layout(self):
        basic_layout(self)

    def generate(self):
        PkgConfigDeps(self).generate()
        toolchain = MesonToolchain(self)
        toolchain.project_options["programs"] = "disabled"
        toolchain.project_options["unity"] = "on"
        toolchain.project_options["werror"] = "false"
        toolchain.generate()

    def build(self):
        meson = Meson(self)
        meson.configure()
        meson.build()

    def package(self):
        Meson(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        needs = {"core": [], "port": ["core"], "client": ["core"], "sim": ["core", "client"], "scenarios": ["sim"]}
        for library in LIBRARIES:
            component = self.cpp_info.components[library]
            component.libs = [f"watchlab-{library}"]
            component.includedirs = [os.path.join("include", "watchlab")]
            component.requires = list(needs[library])
            component.set_property("pkg_config_name", f"watchlab-{library}")
            component.set_property("cmake_target_name", f"watchlab::{library}")
            if self.options.system_libraries:
                component.system_libs = ["fmt", "boost_context"]
            else:
                component.requires += ["boost::boost", "fmt::fmt"]
        if not self.options.system_libraries:
            self.cpp_info.components["client"].requires += ["openssl::openssl", "yaml-cpp::yaml-cpp"]
            self.cpp_info.components["sim"].requires += ["zlib::zlib"]
