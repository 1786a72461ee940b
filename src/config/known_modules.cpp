#include "config/known_modules.hpp"

#include <fnmatch.h>

#include <algorithm>

namespace vicino::config {
namespace {

// By the name that the library's file has wherever it is installed, whatever its version. Arrays, not pointers: each
// pointer would have to be made right when the library is loaded.
constexpr char kKnown[][48] = {
    // LightGBM
    "lib_lightgbm.so*",
    // faiss
    "*/faiss/_swigfaiss*.so",
    // scikit-learn; not its distances (_argkmin), which merge heaps of as many threads as they asked for
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

bool names(const char* pattern, const std::string& path) {
  const bool has_folder = std::string_view(pattern).find('/') != std::string_view::npos;
  const std::size_t name = has_folder ? 0 : path.rfind('/') + 1;  // npos + 1 is 0
  return fnmatch(pattern, path.c_str() + name, 0) == 0;
}

}  // namespace

bool may_have_fewer(std::string_view path, std::span<const ModuleRule> rules) {
  const std::string text(path);
  const auto rule = std::ranges::find_if(
      rules, [&](const ModuleRule& one) { return names(one.file.c_str(), text); });
  if (rule != rules.end()) return rule->fewer;
  return std::ranges::any_of(kKnown, [&](const char* pattern) { return names(pattern, text); });
}

}  // namespace vicino::config
