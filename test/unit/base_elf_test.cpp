// Symbol tables and needed libraries: of this program, and of files with misleading contents.
#include <dlfcn.h>
#include <elf.h>
#include <gtest/gtest.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/elf.hpp"
#include "base/file.hpp"

namespace vicino {
namespace {

// It is not exported, so dladdr() would not know it.
[[gnu::noinline]] int plain(int x) { return x * 3 + 1; }

// Returns a file with these bytes, which belongs to this process and ends with it.
std::string written(const std::string& bytes) {
  static const int file = memfd_create("elf", MFD_CLOEXEC);
  EXPECT_EQ(ftruncate(file, 0), 0);
  EXPECT_EQ(pwrite(file, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  return "/proc/self/fd/" + std::to_string(file);
}

uint64_t in_the_file(uintptr_t address) {
  uintptr_t moved_by = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        *static_cast<uintptr_t*>(out) = info->dlpi_addr;
        return 1;  // the first is the program
      },
      &moved_by);
  return address - moved_by;
}

// A file with one function, `main`, of 16 bytes at 0x1000.
struct Small {
  Elf64_Ehdr head{};
  Elf64_Shdr sections[3]{};
  Elf64_Sym symbols[2]{};
  char names[6] = {'\0', 'm', 'a', 'i', 'n', '\0'};

  Small() {
    std::memcpy(head.e_ident, ELFMAG, SELFMAG);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    head.e_ident[EI_DATA] = ELFDATA2LSB;
    head.e_shoff = offsetof(Small, sections);
    head.e_shentsize = sizeof(Elf64_Shdr);
    head.e_shnum = 3;
    Elf64_Shdr& table = sections[1];
    table.sh_type = SHT_SYMTAB;
    table.sh_offset = offsetof(Small, symbols);
    table.sh_size = sizeof symbols;
    table.sh_entsize = sizeof(Elf64_Sym);
    table.sh_link = 2;
    sections[2].sh_type = SHT_STRTAB;
    sections[2].sh_offset = offsetof(Small, names);
    sections[2].sh_size = sizeof names;
    symbols[1].st_name = 1;
    symbols[1].st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC);
    symbols[1].st_shndx = 1;
    symbols[1].st_value = 0x1000;
    symbols[1].st_size = 16;
  }
  std::string bytes() const { return {reinterpret_cast<const char*>(this), sizeof *this}; }
  SymbolTable read() const { return SymbolTable::read(written(bytes())); }
};

TEST(BaseElf, FindsAFunctionOfThisProgram) {
  const auto table = SymbolTable::read("/proc/self/exe");
  const uint64_t at = in_the_file(reinterpret_cast<uintptr_t>(&plain));
  const auto hit = table.at(at + 1);
  EXPECT_NE(hit.name.find("plain"), hit.name.npos) << hit.name;
  EXPECT_EQ(hit.offset, 1u);
}

TEST(BaseElf, AFunctionEndsWhereItsSizeSays) {
  const auto table = Small().read();
  EXPECT_EQ(table.at(0x1000).name, "main");
  EXPECT_EQ(table.at(0x100f).offset, 15u);
  EXPECT_EQ(table.at(0x1010).name, "");
  EXPECT_EQ(table.at(0xfff).name, "");
  EXPECT_EQ(table.at(UINT64_MAX).name, "");
}

TEST(BaseElf, TakesTheDynamicTableIfThereIsNoOther) {
  Small small;
  small.sections[1].sh_type = SHT_DYNSYM;
  EXPECT_EQ(small.read().at(0x1000).name, "main");
}

TEST(BaseElf, WhatIsNoFileOfSymbolsIsEmpty) {
  EXPECT_EQ(SymbolTable::read("/nowhere").size(), 0u);
  EXPECT_EQ(SymbolTable::read("/").size(), 0u);
  EXPECT_EQ(SymbolTable::read("/proc/self/status").size(), 0u);
  EXPECT_EQ(SymbolTable::read(written("")).size(), 0u);
  EXPECT_EQ(SymbolTable::read(written("\x7f"
                                      "ELF"))
                .size(),
            0u);
}

TEST(BaseElf, WhatPointsOutsideOfTheFileIsNotFollowed) {
  const auto empty = [](auto change) {
    Small small;
    change(small);
    return small.read().size() == 0;
  };
  EXPECT_TRUE(empty([](Small& s) { s.head.e_ident[EI_CLASS] = ELFCLASS32; }));
  EXPECT_TRUE(empty([](Small& s) { s.head.e_shoff = UINT64_MAX - 8; }));
  EXPECT_TRUE(empty([](Small& s) { s.head.e_shnum = UINT16_MAX; }));
  EXPECT_TRUE(empty([](Small& s) { s.head.e_shentsize = 8; }));
  EXPECT_TRUE(empty([](Small& s) { s.sections[1].sh_size = UINT64_MAX; }));
  EXPECT_TRUE(empty([](Small& s) { s.sections[1].sh_offset = UINT64_MAX; }));
  EXPECT_TRUE(empty([](Small& s) { s.sections[1].sh_entsize = 0; }));
  EXPECT_TRUE(empty([](Small& s) { s.sections[1].sh_link = 3; }));
  EXPECT_TRUE(empty([](Small& s) { s.sections[2].sh_type = SHT_PROGBITS; }));
  EXPECT_TRUE(empty([](Small& s) { s.sections[2].sh_size = uint64_t{1} << 60; }));
  EXPECT_TRUE(empty([](Small& s) { s.symbols[1].st_name = 1000; }));
}

TEST(BaseElf, ANameThatDoesNotEndIsCutWhereTheTableEnds) {
  Small small;
  small.names[5] = '!';
  EXPECT_EQ(small.read().at(0x1000).name, "main!");
}

TEST(BaseElf, AnyBytesWillDo) {
  std::minstd_rand random(1);
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = Small().bytes();
    for (int n = 0; n < 4; ++n) bytes[random() % bytes.size()] = static_cast<char>(random());
    bytes.resize(bytes.size() - (random() % 2 == 0 ? random() % bytes.size() : 0));
    const auto table = SymbolTable::read(written(bytes));
    for (const uint64_t at : {uint64_t{0}, uint64_t{0x1000}, UINT64_MAX}) {
      const auto hit = table.at(at);
      EXPECT_LE(std::strlen(hit.name.data() != nullptr ? hit.name.data() : ""), 6u);
    }
  }
}

// A file that needs libmpi.so.40 and looks for it beside itself.
struct Needing {
  Elf64_Ehdr head = Small().head;
  Elf64_Shdr sections[3]{};
  Elf64_Dyn items[3]{};
  char names[22] = "\0libmpi.so.40\0$ORIGIN";

  Needing() {
    head.e_shoff = offsetof(Needing, sections);
    sections[1].sh_type = SHT_DYNAMIC;
    sections[1].sh_offset = offsetof(Needing, items);
    sections[1].sh_size = sizeof items;
    sections[1].sh_entsize = sizeof(Elf64_Dyn);
    sections[1].sh_link = 2;
    sections[2].sh_type = SHT_STRTAB;
    sections[2].sh_offset = offsetof(Needing, names);
    sections[2].sh_size = sizeof names;
    items[0] = {DT_NEEDED, {1}};
    items[1] = {DT_RUNPATH, {14}};
  }
  std::string bytes() const { return {reinterpret_cast<const char*>(this), sizeof *this}; }
  Needs read() const { return needs_of(written(bytes())); }
};

TEST(BaseElf, NeedsAreLibrariesAndFolders) {
  EXPECT_EQ(Needing().read(), (Needs{{"libmpi.so.40"}, {"$ORIGIN"}}));
  const Needs own = needs_of("/proc/self/exe");
  EXPECT_NE(std::ranges::find(own.libraries, "libc.so.6"), own.libraries.end());
}

TEST(BaseElf, WhatIsNoDynamicFileNeedsNothing) {
  EXPECT_EQ(needs_of("/nowhere"), Needs{});
  EXPECT_EQ(needs_of(written(Small().bytes())), Needs{});
  Needing outside;
  outside.items[0].d_un.d_val = 1000;
  EXPECT_EQ(outside.read(), (Needs{{}, {"$ORIGIN"}}));
  outside.sections[1].sh_link = 3;
  EXPECT_EQ(outside.read(), Needs{});
}

TEST(BaseElf, AnyBytesMayBeNeeds) {
  std::minstd_rand random(1);
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = Needing().bytes();
    for (int n = 0; n < 4; ++n) bytes[random() % bytes.size()] = static_cast<char>(random());
    for (const std::string& name : needs_of(written(bytes)).libraries) EXPECT_LE(name.size(), 22u);
  }
}

// The processor's loader, and the version that its C library began with.
#if defined(__x86_64__)
constexpr std::string_view kLoader[] = {"ld-linux-x86-64.so.2"};
constexpr char kFirst[] = "GLIBC_2.2.5";
#else
constexpr std::string_view kLoader[] = {"ld-linux-aarch64.so.1"};
constexpr char kFirst[] = "GLIBC_2.17";
#endif

// The C library's own files have all the tables, and the test program needs them under versions.
std::string file_of_c_library() {
  Dl_info info;
  EXPECT_NE(dladdr(reinterpret_cast<const void*>(&fopen), &info), 0);
  return info.dli_fname;
}

TEST(BaseElf, WantsFunctionsAndVersionsOfALibrary) {
  constexpr std::string_view kLibc[] = {"libc.so.6"};
  const auto wanted = wanted_from("/proc/self/exe", kLibc);
  const auto is = [](std::string_view version, std::string_view name) {
    return [=](const Wanted& w) {
      return w.library == "libc.so.6" && w.version == version && w.name == name;
    };
  };
  EXPECT_TRUE(std::ranges::any_of(wanted, is(kFirst, "")));
  EXPECT_TRUE(std::ranges::any_of(wanted, is(kFirst, "fopen")));
  EXPECT_TRUE(std::ranges::none_of(wanted, is(kFirst, "main")));
  const Offered offered = offered_by(file_of_c_library());
  for (const Wanted& w : wanted) {
    EXPECT_TRUE(offered.versions.contains(w.version)) << w.version;
    EXPECT_TRUE(w.name.empty() || offered.names.contains(w.name)) << w.name;
  }
  auto versions = wanted;
  std::erase_if(versions, [](const Wanted& w) { return !w.name.empty(); });
  EXPECT_EQ(versions_wanted_from("/proc/self/exe", kLibc), versions);
  constexpr std::string_view kOther[] = {"libgomp.so.1"};
  EXPECT_EQ(wanted_from("/proc/self/exe", kOther), std::vector<Wanted>{});
  EXPECT_EQ(wanted_from("/nowhere", kLibc), std::vector<Wanted>{});
  EXPECT_EQ(versions_wanted_from("/nowhere", kLibc), std::vector<Wanted>{});
  EXPECT_TRUE(offered_by("/nowhere").names.empty());
}

// Where the tables of versions and dynamic symbols lie, each with the number of its bytes.
std::vector<std::pair<std::size_t, std::size_t>> tables_of(const std::string& bytes) {
  std::vector<std::pair<std::size_t, std::size_t>> tables;
  Elf64_Ehdr head;
  memcpy(&head, bytes.data(), sizeof head);
  for (unsigned i = 0; i < head.e_shnum; ++i) {
    Elf64_Shdr section;
    const std::size_t at = head.e_shoff + i * sizeof section;
    memcpy(&section, bytes.data() + at, sizeof section);
    const auto type = section.sh_type;
    if (type != SHT_GNU_verneed && type != SHT_GNU_verdef && type != SHT_GNU_versym &&
        type != SHT_DYNSYM)
      continue;
    tables.emplace_back(section.sh_offset, section.sh_size);
    tables.emplace_back(at, sizeof section);
  }
  return tables;
}

TEST(BaseElf, AnyTablesMayBeWantedOrOffered) {
  std::ifstream file(file_of_c_library(), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  EXPECT_FALSE(wanted_from(file_of_c_library(), kLoader).empty());
  const auto tables = tables_of(bytes);
  ASSERT_EQ(tables.size(), 8u);
  std::minstd_rand random(1);
  for (int i = 0; i < 60; ++i) {
    std::string spoilt = bytes;
    for (const auto& [begin, size] : tables)
      for (int n = 0; n < 3; ++n) spoilt[begin + random() % size] = static_cast<char>(random());
    const std::string path = written(spoilt);
    for (const Wanted& wanted : wanted_from(path, kLoader))
      EXPECT_LE(wanted.name.size(), bytes.size());
    for (const std::string& name : offered_by(path).names) EXPECT_LE(name.size(), bytes.size());
  }
}

// A note: its head and owner, then its contents, each padded to a multiple of `unit`.
std::string note(uint32_t type, const std::string& owner, const std::string& contents,
                 std::size_t unit = 4) {
  const Elf64_Nhdr head{static_cast<Elf64_Word>(owner.size()),
                        static_cast<Elf64_Word>(contents.size()), type};
  std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
  for (const std::string& part : {owner, contents}) {
    bytes += part;
    bytes.resize((bytes.size() + unit - 1) / unit * unit);
  }
  return bytes;
}
const std::string kGnu{"GNU", 4};

std::string build_id_in(const std::string& notes, std::size_t alignment = 4) {
  return build_id_among(std::as_bytes(std::span(notes)), alignment);
}

TEST(BaseElf, FindsTheBuildIdAmongOtherNotes) {
  const std::string id = note(NT_GNU_BUILD_ID, kGnu, "\x01\xab\xff");
  EXPECT_EQ(build_id_in(id), "01abff");
  EXPECT_EQ(
      build_id_in(note(NT_GNU_ABI_TAG, kGnu, "12345") + note(NT_GNU_BUILD_ID, "other", "0") + id),
      "01abff");
  EXPECT_EQ(build_id_in(note(5, kGnu, "12345", 8) + id, 8), "01abff");
  EXPECT_EQ(build_id_in(note(NT_GNU_ABI_TAG, kGnu, "12345")), "");
  EXPECT_EQ(build_id_in(note(NT_GNU_BUILD_ID, kGnu, std::string(65, 'x'))), "");
}

TEST(BaseElf, NotesThatLeadOutsideHaveNoBuildId) {
  const std::string id = note(NT_GNU_BUILD_ID, kGnu, "\x01\xab\xff\x02");
  for (std::size_t length = 0; length < id.size(); ++length)
    EXPECT_EQ(build_id_in(id.substr(0, length)), "") << length;
  std::minstd_rand random(1);
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = note(NT_GNU_ABI_TAG, kGnu, "12345") + id;
    for (int n = 0; n < 3; ++n) bytes[random() % bytes.size()] = static_cast<char>(random());
    EXPECT_LE(build_id_in(bytes).size(), 2 * bytes.size());
  }
}

TEST(BaseElf, TheBuildIdOfAFileIsThatInMemory) {
  std::string in_memory;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& header = info->dlpi_phdr[i];
          if (header.p_type != PT_NOTE) continue;
          const auto* begin = reinterpret_cast<const std::byte*>(info->dlpi_addr + header.p_vaddr);
          const auto id = build_id_among({begin, header.p_memsz}, header.p_align);
          if (!id.empty()) *static_cast<std::string*>(out) = id;
        }
        return 1;
      },
      &in_memory);
  EXPECT_NE(in_memory, "");
  EXPECT_EQ(build_id_of("/proc/self/exe"), in_memory);
  EXPECT_EQ(build_id_of("/nowhere"), "");
  EXPECT_EQ(build_id_of(written(Small().bytes())), "");
}

}  // namespace
}  // namespace vicino
