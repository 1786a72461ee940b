#include "patterns/dissection.hpp"

#include <algorithm>
#include <array>

namespace vicino::patterns {
namespace {

constexpr uint64_t kFew = 32;  // cells of a box that is not divided further

class Dissection {
 public:
  explicit Dissection(const Grid& grid) : grid_(grid) { order_.reserve(grid.cells()); }

  std::vector<uint32_t> run() {
    divide({{{0, grid_.x}, {0, grid_.y}, {0, grid_.z}}});
    return std::move(order_);
  }

 private:
  struct Side {
    uint32_t begin, end;
    uint32_t length() const { return end - begin; }
  };
  using Box = std::array<Side, 3>;

  void divide(const Box& box) {
    uint64_t cells = 1;
    for (const Side& side : box) cells *= side.length();
    if (cells <= kFew) return number(box);
    const auto longest = std::ranges::max_element(box, {}, &Side::length) - box.begin();
    const Side side = box[longest];  // of three cells at least
    const uint32_t middle = side.begin + side.length() / 2;
    for (const Side part :
         {Side{side.begin, middle}, {middle + 1, side.end}, {middle, middle + 1}}) {
      Box inner = box;
      inner[longest] = part;
      divide(inner);
    }
  }

  void number(const Box& box) {
    for (uint32_t z = box[2].begin; z < box[2].end; ++z)
      for (uint32_t y = box[1].begin; y < box[1].end; ++y)
        for (uint32_t x = box[0].begin; x < box[0].end; ++x)
          order_.push_back((z * grid_.y + y) * grid_.x + x);
  }

  const Grid grid_;
  std::vector<uint32_t> order_;
};

}  // namespace

std::vector<uint32_t> dissected(const Grid& grid) { return Dissection(grid).run(); }

}  // namespace vicino::patterns
