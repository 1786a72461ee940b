# Not built by Spack here, which is not on PyPI. Tried (test/release/recipes_test.py): this file runs with the names of
# Spack's that it uses, each option of CMake is one of Vicino's, and the environment that it sets.
#
#     export VICINO_GIT=URL           where the sources are
#     spack repo add packaging/spack
#     spack install vicino
#     spack load vicino               from now on, programs of this shell run on Vicino
import os

from spack.package import *


class Vicino(CMakePackage):
    """A drop-in OpenMP runtime that keeps work near its data. Programs of gcc, gfortran, clang and flang run on it
    without being compiled or linked again."""

    homepage = "https://vicino.invalid"
    git = os.environ.get("VICINO_GIT", "https://vicino.invalid/vicino.git")
    license("Apache-2.0")

    version("main", branch="main")
    version("0.1.0", tag="v0.1.0")

    variant("metis", default=False, description="vicino graph orders any matrix by nested dissection")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.8:", type="build")
    depends_on("cli11@2:", type="build")
    depends_on("fmt@9:")
    depends_on("hwloc@2.9:")
    depends_on("nlohmann-json@3.11:", type="build")
    depends_on("protozero@1.7:", type="build")
    depends_on("tomlplusplus@3:", type="build")
    depends_on("metis@5:", when="+metis")
    conflicts("%gcc@:11", msg="Vicino is written in C++20: gcc 12 or newer")
    conflicts("platform=darwin", msg="Vicino runs on Linux")

    generator("ninja")

    def cmake_args(self):
        return [self.define("VICINO_TESTS", False), self.define("VICINO_BENCH", False),
                self.define("VICINO_KIT", False)]

    def setup_run_environment(self, env):
        env.prepend_path("LD_PRELOAD", os.path.join(self.prefix.lib, "libvicino.so.0"))
        env.prepend_path("LD_LIBRARY_PATH", os.path.join(self.prefix.lib, "vicino", "replace"))
