// Files in Matrix Market's format: what is read, and what is refused with its line.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "patterns/matrix_market.hpp"

namespace vicino::patterns {
namespace {

using Numbers = std::vector<uint32_t>;

constexpr const char* kHead = "%%MatrixMarket matrix coordinate ";

Rows read(const std::string& text) {
  const auto rows = read_matrix_market(text, "m.mtx");
  EXPECT_TRUE(rows) << rows.error();
  return rows ? *rows : Rows();
}

std::string refused(const std::string& text) { return read_matrix_market(text, "m.mtx").error(); }

Numbers row(const Rows& rows, uint32_t i) { return {rows[i].begin(), rows[i].end()}; }

TEST(MatrixMarket, ReadsGeneralMatricesWithTheDiagonal) {
  const Rows rows =
      read(std::string(kHead) +
           "real general\n% a comment\n\n3 3 4\n1 3 1.5\n3 1 -2e-999\n3 3 +1\n2 1 0\n");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(row(rows, 0), (Numbers{0, 2}));
  EXPECT_EQ(row(rows, 1), (Numbers{0, 1}));
  EXPECT_EQ(row(rows, 2), (Numbers{0, 2}));
}

TEST(MatrixMarket, MirrorsSymmetricOnes) {
  for (const std::string kind :
       {"pattern symmetric\n3 3 2\n2 1\n3 2\n", "real skew-symmetric\n3 3 2\n2 1 1\n3 2 -1\n",
        "complex hermitian\n3 3 2\n2 1 1 1\n3 2 0 -1\n",
        "integer symmetric\n3 3 2\n2 1 7\n3 2 8\n"}) {
    const Rows rows = read(kHead + kind);
    ASSERT_EQ(rows.size(), 3u) << kind;
    EXPECT_EQ(row(rows, 0), (Numbers{0, 1})) << kind;
    EXPECT_EQ(row(rows, 1), (Numbers{0, 1, 2})) << kind;
    EXPECT_EQ(row(rows, 2), (Numbers{1, 2})) << kind;
  }
}

TEST(MatrixMarket, TakesWhatProgramsWrite) {
  const Rows rows =
      read("%%MatrixMarket MATRIX Coordinate Pattern General\r\n2 2 3\r\n 2\t1 \r\n2 1\n1 1");
  EXPECT_EQ(row(rows, 0), Numbers{0});
  EXPECT_EQ(row(rows, 1), (Numbers{0, 1}));
  EXPECT_EQ(read(std::string(kHead) + "pattern general\n0 0 0\n").size(), 0u);
}

struct Refused {
  std::string text, error;
};

TEST(MatrixMarket, RefusesEachMistakeWithItsLine) {
  const std::string head = kHead;
  const Refused cases[] = {
      {"", "m.mtx:1: the file does not begin with '%%MatrixMarket', as the format requires"},
      {"1 1 1\n", "m.mtx:1: the file does not begin with '%%MatrixMarket', as the format requires"},
      {"%%MatrixMarket vector coordinate real general\n",
       "m.mtx:1: the object is 'vector'; 'matrix' is accepted"},
      {"%%MatrixMarket matrix array real general\n2 2\n",
       "m.mtx:1: the format is 'array'; 'coordinate' is accepted, which lists the entries of a "
       "sparse matrix"},
      {head + "float general\n1 1 0\n",
       "m.mtx:1: the field is 'float'; accepted are pattern, real, integer and complex"},
      {head + "real\n1 1 0\n",
       "m.mtx:1: the symmetry is ''; accepted are general, symmetric, skew-symmetric and "
       "hermitian"},
      {head + "real general x\n1 1 0\n", "m.mtx:1: ' x' stands behind the symmetry"},
      {head + "real general\n% only this\n",
       "m.mtx:2: the file ends before the line with rows, columns, entries"},
      {head + "real general\n3 3\n",
       "m.mtx:2: '3 3' is not 'ROWS COLUMNS ENTRIES', three whole numbers"},
      {head + "real general\n3 3 -1\n",
       "m.mtx:2: '3 3 -1' is not 'ROWS COLUMNS ENTRIES', three whole numbers"},
      {head + "real general\n3 2 1\n",
       "m.mtx:2: the matrix has 3 rows and 2 columns; a square matrix is accepted"},
      {head + "real general\n4294967295 4294967295 0\n",
       "m.mtx:2: 4294967295 rows and 0 entries are too many: with the diagonal, and mirrored if "
       "the "
       "matrix is symmetric, fewer than 4294967295 entries are accepted"},
      {head + "real general\n9 9 18446744073709551615\n",
       "m.mtx:2: 9 rows and 18446744073709551615 entries are too many: with the diagonal, and "
       "mirrored "
       "if the matrix is symmetric, fewer than 4294967295 entries are accepted"},
      {head + "real general\n3 3 1\n1 2\n", "m.mtx:3: '1 2' is not 'ROW COLUMN VALUE'"},
      {head + "real general\n3 3 1\n1 2 x\n", "m.mtx:3: '1 2 x' is not 'ROW COLUMN VALUE'"},
      {head + "real general\n3 3 1\n1 2 3 4\n", "m.mtx:3: '1 2 3 4' is not 'ROW COLUMN VALUE'"},
      {head + "complex general\n3 3 1\n1 2 3\n",
       "m.mtx:3: '1 2 3' is not 'ROW COLUMN VALUE VALUE'"},
      {head + "pattern general\n3 3 1\n1 2 3\n", "m.mtx:3: '1 2 3' is not 'ROW COLUMN'"},
      {head + "pattern general\n3 3 1\n1.5 2\n", "m.mtx:3: '1.5 2' is not 'ROW COLUMN'"},
      {head + "pattern general\n3 3 2\n\n1 1\n0 2\n",
       "m.mtx:5: entry (0, 2) is outside of the matrix; rows and columns are counted from 1 to 3"},
      {head + "pattern general\n3 3 1\n2 0\n",
       "m.mtx:3: entry (2, 0) is outside of the matrix; rows and columns are counted from 1 to 3"},
      {head + "pattern general\n3 3 1\n2 4\n",
       "m.mtx:3: entry (2, 4) is outside of the matrix; rows and columns are counted from 1 to 3"},
      {head + "pattern general\n3 3 1\n1 1\n1 2\n",
       "m.mtx:4: there are more entries than the 1 that the file announces"},
      {head + "pattern general\n3 3 3\n1 1\n1 2\n", "m.mtx:4: the file ends after 2 of 3 entries"},
  };
  for (const Refused& each : cases) EXPECT_EQ(refused(each.text), each.error) << each.text;
}

}  // namespace
}  // namespace vicino::patterns
