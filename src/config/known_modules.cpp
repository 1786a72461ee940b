#include "config/known_modules.hpp"

#include <fnmatch.h>

#include <algorithm>

namespace vicino::config {
namespace {

// By the name that the library's file has wherever it is installed, whatever its version. Arrays, not pointers: each
// pointer would have to be made right when the library is loaded.
using Pattern = char[48];
constexpr Pattern kAllow[] = {
    // LightGBM
    "lib_lightgbm.so*",
    // faiss
    "*/faiss/_swigfaiss*.so",
    // scikit-learn
    "*/sklearn/cluster/_k_means_lloyd*.so",
    "*/sklearn/cluster/_k_means_common*.so",
    "*/sklearn/ensemble/_hist_gradient_boosting/*.so",
    "*/sklearn/_loss/_loss*.so",
    // FFTW of each precision
    "libfftw3*_omp*.so*",
    // tesseract, GraphicsMagick, SoX, pngquant, par2
    "libtesseract*.so*",
    "libGraphicsMagick-*.so*",
    "libsox.so*",
    "libimagequant.so*",
    "par2",
    // R's data.table
    "*/data.table/libs/data_table.so",
};
constexpr Pattern kForbid[] = {
    // OpenBLAS, BLIS, and oneDNN, which PyPI's PyTorch has inside: parts of a product wait for each other
    "libopenblas*.so*",
    "libblis.so*",
    "*/blis-openmp/libblas.so*",
    "libdnnl.so*",
    "*/torch/lib/libtorch_cpu.so",
    // MKL: wrong eigenvalues; its LU decomposition hangs
    "libmkl_*",
    // NetworKit: its samples of paths never end
    "libnetworkit*.so*",
    // FINUFFT, XGBoost, PySCF, GROMACS, LAMMPS and CP2K end with a fault or a message
    "libfinufft*.so*",
    "libxgboost.so*",
    "*/pyscf/lib/*.so*",
    "libgromacs*.so*",
    "liblammps*.so*",
    "cp2k.*",
    // scikit-learn's distances merge heaps of as many threads as they asked for
    "*/_pairwise_distances_reduction/*.so",
};

bool names(const char* pattern, const std::string& path) {
  const bool has_folder = std::string_view(pattern).find('/') != std::string_view::npos;
  const std::size_t name = has_folder ? 0 : path.rfind('/') + 1;  // npos + 1 is 0
  return fnmatch(pattern, path.c_str() + name, 0) == 0;
}

bool any_names(std::span<const Pattern> patterns, const std::string& path) {
  return std::ranges::any_of(patterns, [&](const Pattern& one) { return names(one, path); });
}

}  // namespace

FewerThreads fewer_threads(std::string_view path, std::span<const ModuleRule> rules) {
  const std::string text(path);
  const auto rule = std::ranges::find_if(
      rules, [&](const ModuleRule& one) { return names(one.file.c_str(), text); });
  if (rule != rules.end()) return rule->fewer ? FewerThreads::kAllowed : FewerThreads::kForbidden;
  if (any_names(kAllow, text)) return FewerThreads::kAllowed;
  return any_names(kForbid, text) ? FewerThreads::kForbidden : FewerThreads::kUnknown;
}

}  // namespace vicino::config
