#include "region/foreign.hpp"

#include <link.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "base/say.hpp"
#include "site/code.hpp"
#include "site/counts.hpp"
#include "site/explain.hpp"

namespace vicino::region {
namespace {

#if defined(__x86_64__)
constexpr std::array<uint64_t, 3> kAddressSlots = {R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT,
                                                   R_X86_64_64};
#elif defined(__aarch64__)
constexpr std::array<uint64_t, 3> kAddressSlots = {R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT,
                                                   R_AARCH64_ABS64};
#else
constexpr std::array<uint64_t, 0> kAddressSlots = {};
#endif

// A loaded object's memory. Only memory inside of its segments is read.
class Image {
 public:
  explicit Image(const dl_phdr_info& object)
      : name_(object.dlpi_name),
        base_(object.dlpi_addr),
        headers_(object.dlpi_phdr, object.dlpi_phnum) {}

  std::string_view name() const noexcept { return name_; }
  // The program's own object has no name.
  std::string path() const {
    if (!name_.empty()) return std::string(name_);
    char buffer[4096];
    const ssize_t length = readlink("/proc/self/exe", buffer, sizeof buffer);
    return length > 0 ? std::string(buffer, static_cast<size_t>(length)) : "the program";
  }

  bool holds(uintptr_t address) const noexcept { return left_at(address) > 0; }

  template <class Item>
  std::optional<Item> read(uintptr_t address) const noexcept {
    if (left_at(address) < sizeof(Item)) return std::nullopt;
    Item item;
    memcpy(&item, reinterpret_cast<const void*>(address), sizeof item);
    return item;
  }

  // The string at this address; empty if it does not end inside of the segment.
  std::string_view text(uintptr_t address) const noexcept {
    const size_t left = left_at(address);
    const char* const begin = reinterpret_cast<const char*>(address);
    const void* const end = left > 0 ? memchr(begin, 0, left) : nullptr;
    if (end == nullptr) return {};
    return {begin, static_cast<size_t>(static_cast<const char*>(end) - begin)};
  }

  // An address from the dynamic section: on most systems the loader has relocated it already.
  uintptr_t located(uint64_t value) const noexcept { return holds(value) ? value : base_ + value; }
  uintptr_t base() const noexcept { return base_; }

  template <class Visit>
  void each_dynamic(Visit visit) const {
    const auto header = std::ranges::find(headers_, PT_DYNAMIC, &ElfW(Phdr)::p_type);
    if (header == headers_.end()) return;
    const uintptr_t at = base_ + header->p_vaddr;
    const std::span entries(reinterpret_cast<const ElfW(Dyn)*>(at),
                            std::min(header->p_memsz, left_at(at)) / sizeof(ElfW(Dyn)));
    for (const ElfW(Dyn) & entry : entries) {
      if (entry.d_tag == DT_NULL) return;
      visit(entry);
    }
  }

 private:
  // How many bytes can be read from this address on, in one segment.
  size_t left_at(uintptr_t address) const noexcept {
    for (const ElfW(Phdr) & header : headers_) {
      if (header.p_type != PT_LOAD || (header.p_flags & PF_R) == 0) continue;
      const uintptr_t offset = address - base_ - header.p_vaddr;
      if (offset < header.p_memsz) return header.p_memsz - offset;
    }
    return 0;
  }

  std::string_view name_;
  uintptr_t base_;
  std::span<const ElfW(Phdr)> headers_;
};

std::string_view file_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Recognises libgomp.so.1, libgomp-a34b3233.so.1.0.0, libiomp5.so, libomp-19.so.5; not
// libomptarget.so nor libgomp-plugin-nvptx.so.
bool is_runtime(std::string_view path) {
  std::string_view file = file_of(path);
  if (file.starts_with("libgomp-plugin")) return false;
  for (const std::string_view name : {"libgomp", "libiomp5", "libomp5", "libomp"})
    if (file.starts_with(name)) {
      file.remove_prefix(name.size());
      return file.starts_with('.') || file.starts_with('-');
    }
  return false;
}

bool is_vicino(const Image& image) { return image.holds(reinterpret_cast<uintptr_t>(&is_runtime)); }

// Whether the entry point begins regions or tasks.
bool forks(std::string_view entry) {
  constexpr std::array<std::string_view, 5> kBegins = {"GOMP_parallel", "GOMP_task", "GOMP_teams",
                                                       "__kmpc_fork_", "__kmpc_omp_task"};
  return std::ranges::any_of(kBegins, [&](const auto& begin) { return entry.starts_with(begin); });
}

bool is_entry(std::string_view name) { return forks(name) || name.starts_with("omp_"); }

// The parts of the dynamic section that say where slots are, and for which symbols.
struct Slots {
  struct Table {
    uintptr_t begin = 0;
    uint64_t bytes = 0;
  };
  uintptr_t strings = 0, symbols = 0;
  Table lazy, eager;
  uint64_t relative = 0;  // so many slots at the beginning of `eager` name no symbol

  explicit Slots(const Image& image) {
    image.each_dynamic([&](const ElfW(Dyn) & entry) {
      const uint64_t value = entry.d_un.d_val;
      switch (entry.d_tag) {
        case DT_STRTAB:
          strings = image.located(value);
          break;
        case DT_SYMTAB:
          symbols = image.located(value);
          break;
        case DT_JMPREL:
          lazy.begin = image.located(value);
          break;
        case DT_PLTRELSZ:
          lazy.bytes = value;
          break;
        case DT_RELA:
          eager.begin = image.located(value);
          break;
        case DT_RELASZ:
          eager.bytes = value;
          break;
        case DT_RELACOUNT:
          relative = value;
          break;
        default:
          break;
      }
    });
  }

  std::string_view name_of(const Image& image, uint64_t symbol) const {
    const auto record = image.read<ElfW(Sym)>(symbols + symbol * sizeof(ElfW(Sym)));
    return record ? image.text(strings + record->st_name) : std::string_view();
  }
};

// Sets `user` if `table` has a slot of an OpenMP entry point that leads into `runtime`. An entry
// point that forks is preferred, and ends the search.
void look_through(const Image& image, const Slots& slots, Slots::Table table, const Image& runtime,
                  std::optional<ForeignUser>& user) {
  for (; table.bytes >= sizeof(ElfW(Rela)); table.bytes -= sizeof(ElfW(Rela))) {
    if (user && user->forks) return;
    const auto slot = image.read<ElfW(Rela)>(table.begin);
    if (!slot) return;
    table.begin += sizeof(ElfW(Rela));
    if (std::ranges::find(kAddressSlots, ELF64_R_TYPE(slot->r_info)) == kAddressSlots.end())
      continue;
    const auto leads_to = image.read<uintptr_t>(image.base() + slot->r_offset);
    if (!leads_to || !runtime.holds(*leads_to)) continue;
    const std::string_view name = slots.name_of(image, ELF64_R_SYM(slot->r_info));
    if (is_entry(name) && (!user || forks(name)))
      user = ForeignUser{image.path(), std::string(name), forks(name)};
  }
}

bool needs(const Image& image, const Slots& slots, std::string_view soname) {
  bool found = false;
  image.each_dynamic([&](const ElfW(Dyn) & entry) {
    if (entry.d_tag == DT_NEEDED)
      found = found || file_of(image.text(slots.strings + entry.d_un.d_val)) == soname;
  });
  return found;
}

std::optional<ForeignUser> user_of(const Image& runtime, std::string_view soname,
                                   const Image& image) {
  const Slots slots(image);
  if (!needs(image, slots, soname)) return std::nullopt;
  std::optional<ForeignUser> user;
  look_through(image, slots, slots.lazy, runtime, user);
  Slots::Table eager = slots.eager;
  const uint64_t skipped = std::min(slots.relative * sizeof(ElfW(Rela)), eager.bytes);
  eager.begin += skipped;
  eager.bytes -= skipped;
  look_through(image, slots, eager, runtime, user);
  return user;
}

// The name by which other libraries need it: its DT_SONAME, or else its file's name.
std::string_view soname_of(const Image& image) {
  const Slots slots(image);
  std::string_view name = file_of(image.name());
  image.each_dynamic([&](const ElfW(Dyn) & entry) {
    if (entry.d_tag == DT_SONAME) name = image.text(slots.strings + entry.d_un.d_val);
  });
  return name;
}

// Calls found(Image) for each loaded object until it is true, and returns whether it was. The loader's lock is held, so no
// object is unloaded meanwhile. The caller is inside site::list_of_objects.
template <class Found>
bool any_object(Found found) {
  return dl_iterate_phdr(
             [](dl_phdr_info* object, size_t, void* data) {
               return static_cast<int>((*static_cast<Found*>(data))(Image(*object)));
             },
             &found) != 0;
}
template <class Visit>
void each_object(Visit visit) {
  any_object([&](const Image& image) { return visit(image), false; });
}

bool needs_runtime(const Image& image) {
  const Slots slots(image);
  bool found = false;
  image.each_dynamic([&](const ElfW(Dyn) & entry) {
    if (found || entry.d_tag != DT_NEEDED) return;
    const std::string_view name = file_of(image.text(slots.strings + entry.d_un.d_val));
    found = name.starts_with("libgomp") || name.starts_with("libvicino.so");
  });
  return found;
}

}  // namespace

std::vector<ForeignRuntime> foreign_runtimes() {
  std::vector<ForeignRuntime> found;
  const sync::ForkGate::Inside inside(site::list_of_objects);
  each_object([&](const Image& runtime) {
    if (!is_runtime(runtime.name()) || is_vicino(runtime)) return;
    found.push_back({runtime.path(), {}});
    const std::string_view soname = soname_of(runtime);
    each_object([&](const Image& image) {
      if (is_vicino(image) || image.name() == runtime.name()) return;
      if (auto user = user_of(runtime, soname, image))
        found.back().users.push_back(*std::move(user));
    });
  });
  return found;
}

bool is_needed_at_load() {
  const sync::ForkGate::Inside inside(site::list_of_objects);
  return any_object(needs_runtime);
}

void say_who_uses_foreign_runtimes() {
  if (site::is_forked_child()) return;  // its parent says the same
  for (const ForeignRuntime& runtime : foreign_runtimes())
    for (const ForeignUser& user : runtime.users)
      if (user.forks)
        say("%s runs its parallel regions on another OpenMP runtime, %s, not on Vicino (it is "
            "bound to %s there); %s; docs/reference/run.md says what to do",
            user.library.c_str(), runtime.path.c_str(), user.entry.c_str(),
            site::counted_regions() > 0 ? "the threads of the two compete for the CPUs"
                                        : "nothing of this process ran on Vicino");
}

std::string path_of_vicino() {
  std::string path;
  each_object([&](const Image& image) {
    if (is_vicino(image)) path = image.path();
  });
  return path;
}

}  // namespace vicino::region
