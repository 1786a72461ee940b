#include "base/elf.hpp"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>

#include "base/uncancelled.hpp"

namespace vicino {
namespace {

class File {
 public:
  explicit File(const std::string& path) : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat status;
    if (file_ >= 0 && fstat(file_, &status) == 0 && S_ISREG(status.st_mode))
      size_ = static_cast<uint64_t>(status.st_size);
  }
  ~File() {
    if (file_ >= 0) close(file_);
  }
  File(const File&) = delete;

  bool has(uint64_t begin, uint64_t bytes) const noexcept {
    return begin <= size_ && bytes <= size_ - begin;
  }

  bool read(uint64_t begin, void* to, uint64_t bytes) const noexcept {
    if (!has(begin, bytes)) return false;
    auto* out = static_cast<char*>(to);
    while (bytes > 0) {
      const ssize_t got = pread(file_, out, bytes, static_cast<off_t>(begin));
      if (got <= 0) return false;
      out += got;
      begin += static_cast<uint64_t>(got);
      bytes -= static_cast<uint64_t>(got);
    }
    return true;
  }

 private:
  int file_;
  uint64_t size_ = 0;
};

// All whole items of the section; none unless the section says that its items have this size.
template <class Item>
std::vector<Item> items_of(const File& file, const Elf64_Shdr& section) {
  std::vector<Item> items;
  if (section.sh_entsize != sizeof(Item) || !file.has(section.sh_offset, section.sh_size))
    return items;
  items.resize(section.sh_size / sizeof(Item));
  if (!file.read(section.sh_offset, items.data(), items.size() * sizeof(Item))) items.clear();
  return items;
}

std::vector<Elf64_Shdr> sections_of(const File& file) {
  Elf64_Ehdr head;
  if (!file.read(0, &head, sizeof head)) return {};
  constexpr unsigned char kOrder =
      std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 ||
      head.e_ident[EI_DATA] != kOrder)
    return {};
  Elf64_Shdr all{};
  all.sh_offset = head.e_shoff;
  all.sh_entsize = head.e_shentsize;
  all.sh_size = uint64_t{head.e_shnum} * sizeof(Elf64_Shdr);
  return items_of<Elf64_Shdr>(file, all);
}

// The fullest table in the file: `strip` leaves only .dynsym in a library.
const Elf64_Shdr* symbols_among(const std::vector<Elf64_Shdr>& sections) {
  for (const Elf64_Word type : {Elf64_Word{SHT_SYMTAB}, Elf64_Word{SHT_DYNSYM}})
    for (const Elf64_Shdr& section : sections)
      if (section.sh_type == type) return &section;
  return nullptr;
}

// The names that the items of a section refer to. The result ends with a 0 whatever the file has,
// because names are read up to a 0.
std::optional<std::string> names_of(const File& file, const std::vector<Elf64_Shdr>& sections,
                                    const Elf64_Shdr& items) {
  if (items.sh_link >= sections.size()) return std::nullopt;
  const Elf64_Shdr& section = sections[items.sh_link];
  if (section.sh_type != SHT_STRTAB || !file.has(section.sh_offset, section.sh_size))
    return std::nullopt;
  std::string names(section.sh_size, '\0');
  if (!file.read(section.sh_offset, names.data(), names.size())) return std::nullopt;
  names.push_back('\0');
  return names;
}

const Elf64_Shdr* section_of_type(const std::vector<Elf64_Shdr>& sections, Elf64_Word type) {
  const auto found = std::ranges::find(sections, type, &Elf64_Shdr::sh_type);
  return found == sections.end() ? nullptr : &*found;
}

// A section whose items say how far away the next one is.
class Chain {
 public:
  Chain(const File& file, const std::vector<Elf64_Shdr>& sections, Elf64_Word type) {
    const Elf64_Shdr* const section = section_of_type(sections, type);
    if (section == nullptr || !file.has(section->sh_offset, section->sh_size)) return;
    bytes_.resize(section->sh_size);
    auto names = names_of(file, sections, *section);
    if (names && file.read(section->sh_offset, bytes_.data(), bytes_.size()))
      names_ = *std::move(names);
    else
      bytes_.clear();
  }

  // Whether there is an item at this place; if so, it is copied.
  template <class Item>
  bool read(uint64_t at, Item& item) const noexcept {
    if (at > bytes_.size() || sizeof item > bytes_.size() - at) return false;
    memcpy(&item, bytes_.data() + at, sizeof item);
    return true;
  }
  std::string name(uint64_t at) const {
    return at < names_.size() ? std::string(names_.data() + at) : std::string();
  }
  // No chain is longer, whatever its items say.
  uint64_t most_items() const noexcept { return bytes_.size() / sizeof(Elf64_Vernaux) + 1; }

 private:
  std::vector<char> bytes_;
  std::string names_;
};

// The versions that a file needs, by the number that its symbols have for them.
std::map<unsigned, Wanted> versions_needed(const File& file,
                                           const std::vector<Elf64_Shdr>& sections,
                                           std::span<const std::string_view> libraries) {
  std::map<unsigned, Wanted> needed;
  const Chain chain(file, sections, SHT_GNU_verneed);
  uint64_t left = chain.most_items(), at = 0;
  for (Elf64_Verneed need; left > 0 && chain.read(at, need); at += need.vn_next, --left) {
    const std::string library = chain.name(need.vn_file);
    uint64_t version_at = at + need.vn_aux;
    const bool counts = std::ranges::find(libraries, library) != libraries.end();
    for (Elf64_Vernaux version; counts && left > 0 && chain.read(version_at, version); --left) {
      if ((version.vna_flags & VER_FLG_WEAK) == 0)
        needed[version.vna_other] = {library, chain.name(version.vna_name), {}};
      if (version.vna_next == 0) break;
      version_at += version.vna_next;
    }
    if (need.vn_next == 0) break;
  }
  return needed;
}

std::string digits_of(std::span<const std::byte> build_id) {
  constexpr std::size_t kLongest = 64;  // bytes; the usual ones have 20 or fewer
  std::string digits;
  if (build_id.size() > kLongest) return digits;
  for (const std::byte byte : build_id) {
    digits += "0123456789abcdef"[static_cast<unsigned>(byte) >> 4];
    digits += "0123456789abcdef"[static_cast<unsigned>(byte) & 15];
  }
  return digits;
}

}  // namespace

SymbolTable SymbolTable::read(const std::string& path) {
  const Uncancelled uncancelled;
  SymbolTable table;
  const File file(path);
  const auto sections = sections_of(file);
  const Elf64_Shdr* symbols = symbols_among(sections);
  if (symbols == nullptr) return table;
  auto names = names_of(file, sections, *symbols);
  if (!names) return table;
  table.names_ = *std::move(names);
  for (const Elf64_Sym& symbol : items_of<Elf64_Sym>(file, *symbols)) {
    const auto type = ELF64_ST_TYPE(symbol.st_info);
    if ((type == STT_FUNC || type == STT_OBJECT) && symbol.st_shndx != SHN_UNDEF &&
        symbol.st_name < table.names_.size())
      table.symbols_.push_back({symbol.st_value, symbol.st_size, symbol.st_name});
  }
  std::ranges::sort(table.symbols_, {}, &Symbol::begin);
  return table;
}

SymbolTable::Hit SymbolTable::at(uint64_t address) const noexcept {
  auto after = std::ranges::upper_bound(symbols_, address, {}, &Symbol::begin);
  // Several symbols may begin at one address: any of them will do. A symbol without a size holds no
  // address.
  while (after != symbols_.begin()) {
    const Symbol& s = *--after;
    if (address - s.begin < s.size) return {names_.data() + s.name, address - s.begin};
    if (s.size != 0) break;
  }
  return {};
}

Needs needs_of(const std::string& path) {
  const Uncancelled uncancelled;
  Needs needs;
  const File file(path);
  const auto sections = sections_of(file);
  const auto dynamic = std::ranges::find(sections, Elf64_Word{SHT_DYNAMIC}, &Elf64_Shdr::sh_type);
  if (dynamic == sections.end()) return needs;
  const auto names = names_of(file, sections, *dynamic);
  if (!names) return needs;
  for (const Elf64_Dyn& item : items_of<Elf64_Dyn>(file, *dynamic)) {
    if (item.d_un.d_val >= names->size()) continue;
    const char* name = names->data() + item.d_un.d_val;
    if (item.d_tag == DT_NEEDED) needs.libraries.emplace_back(name);
    if (item.d_tag == DT_RPATH || item.d_tag == DT_RUNPATH) needs.search_path.emplace_back(name);
  }
  return needs;
}

std::vector<Wanted> versions_wanted_from(const std::string& path,
                                         std::span<const std::string_view> libraries) {
  const Uncancelled uncancelled;
  const File file(path);
  std::vector<Wanted> wanted;
  for (auto& [number, version] : versions_needed(file, sections_of(file), libraries))
    wanted.push_back(version);
  return wanted;
}

std::vector<Wanted> wanted_from(const std::string& path,
                                std::span<const std::string_view> libraries) {
  const Uncancelled uncancelled;
  const File file(path);
  const auto sections = sections_of(file);
  const auto versions = versions_needed(file, sections, libraries);
  std::vector<Wanted> wanted;
  for (const auto& [number, version] : versions) wanted.push_back(version);
  const Elf64_Shdr* const symbols = section_of_type(sections, SHT_DYNSYM);
  const Elf64_Shdr* const numbers = section_of_type(sections, SHT_GNU_versym);
  if (versions.empty() || symbols == nullptr || numbers == nullptr) return wanted;
  const auto names = names_of(file, sections, *symbols);
  const auto version_of = items_of<Elf64_Versym>(file, *numbers);
  const auto all = items_of<Elf64_Sym>(file, *symbols);
  for (std::size_t i = 0; names && i < std::min(all.size(), version_of.size()); ++i) {
    const auto version = versions.find(version_of[i]);
    if (version == versions.end() || all[i].st_shndx != SHN_UNDEF ||
        ELF64_ST_BIND(all[i].st_info) == STB_WEAK || all[i].st_name >= names->size())
      continue;
    wanted.push_back(version->second);
    wanted.back().name = names->data() + all[i].st_name;
  }
  return wanted;
}

Offered offered_by(const std::string& path) {
  const Uncancelled uncancelled;
  Offered offered;
  const File file(path);
  const auto sections = sections_of(file);
  const Chain chain(file, sections, SHT_GNU_verdef);
  uint64_t left = chain.most_items(), at = 0;
  for (Elf64_Verdef version; left > 0 && chain.read(at, version); at += version.vd_next, --left) {
    Elf64_Verdaux name;
    if (chain.read(at + version.vd_aux, name)) offered.versions.insert(chain.name(name.vda_name));
    if (version.vd_next == 0) break;
  }
  const Elf64_Shdr* const symbols = section_of_type(sections, SHT_DYNSYM);
  if (symbols == nullptr) return offered;
  const auto names = names_of(file, sections, *symbols);
  for (const Elf64_Sym& symbol : items_of<Elf64_Sym>(file, *symbols))
    if (names && symbol.st_shndx != SHN_UNDEF && symbol.st_name < names->size())
      offered.names.insert(names->data() + symbol.st_name);
  return offered;
}

std::string build_id_among(std::span<const std::byte> notes, std::size_t alignment) {
  static constexpr char kOwner[] = "GNU";
  const uint64_t unit = alignment == 8 ? 8 : 4;  // other alignments occur, and mean 4
  const auto aligned = [=](uint64_t offset) { return (offset + unit - 1) / unit * unit; };
  while (notes.size() >= sizeof(Elf64_Nhdr)) {
    Elf64_Nhdr head;
    memcpy(&head, notes.data(), sizeof head);
    const uint64_t begin = aligned(sizeof head + uint64_t{head.n_namesz});
    const uint64_t end = begin + head.n_descsz;
    if (end > notes.size()) break;
    if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == sizeof kOwner &&
        memcmp(notes.data() + sizeof head, kOwner, sizeof kOwner) == 0)
      return digits_of(notes.subspan(begin, head.n_descsz));
    notes = notes.subspan(std::min<uint64_t>(aligned(end), notes.size()));
  }
  return {};
}

std::string build_id_of(const std::string& path) {
  const Uncancelled uncancelled;
  const File file(path);
  for (const Elf64_Shdr& section : sections_of(file)) {
    constexpr uint64_t kMostNotes = 1 << 20;
    if (section.sh_type != SHT_NOTE || section.sh_size > kMostNotes ||
        !file.has(section.sh_offset, section.sh_size))
      continue;
    std::vector<std::byte> notes(section.sh_size);
    if (!file.read(section.sh_offset, notes.data(), notes.size())) continue;
    const std::string id = build_id_among(notes, section.sh_addralign);
    if (!id.empty()) return id;
  }
  return {};
}

}  // namespace vicino
