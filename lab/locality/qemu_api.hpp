// qemu_api.hpp: what the plugin uses of QEMU's TCG plugin interface, version 1, which QEMU 7.2 has.
//
// Declared here because Debian does not ship QEMU's header. These are facts of the binary
// interface: names, argument types, numeric values. qemu_private.hpp holds what goes beyond the
// interface.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

using qemu_plugin_id_t = std::uint64_t;
using qemu_plugin_meminfo_t = std::uint32_t;

struct qemu_info_t {
  const char* target_name;
  struct {
    int min;
    int cur;
  } version;
  bool system_emulation;
  struct {  // a union of one member in QEMU
    int smp_vcpus;
    int max_vcpus;
  } system;
};

struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_plugin_hwaddr;

enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };
enum qemu_plugin_mem_rw { QEMU_PLUGIN_MEM_R = 1, QEMU_PLUGIN_MEM_W = 2, QEMU_PLUGIN_MEM_RW = 3 };

using qemu_plugin_udata_cb = void (*)(qemu_plugin_id_t, void*);
using qemu_plugin_tb_trans_cb = void (*)(qemu_plugin_id_t, qemu_plugin_tb*);
using qemu_plugin_vcpu_simple_cb = void (*)(qemu_plugin_id_t, unsigned cpu);
using qemu_plugin_vcpu_udata_cb = void (*)(unsigned cpu, void*);
using qemu_plugin_vcpu_mem_cb = void (*)(unsigned cpu, qemu_plugin_meminfo_t, std::uint64_t address,
                                         void*);

void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, qemu_plugin_udata_cb, void*);
void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t, qemu_plugin_vcpu_simple_cb);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, qemu_plugin_tb_trans_cb);
void qemu_plugin_register_vcpu_tb_exec_cb(qemu_plugin_tb*, qemu_plugin_vcpu_udata_cb,
                                          qemu_plugin_cb_flags, void*);
void qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_insn*, qemu_plugin_vcpu_udata_cb,
                                            qemu_plugin_cb_flags, void*);
void qemu_plugin_register_vcpu_mem_cb(qemu_plugin_insn*, qemu_plugin_vcpu_mem_cb,
                                      qemu_plugin_cb_flags, qemu_plugin_mem_rw, void*);

std::size_t qemu_plugin_tb_n_insns(const qemu_plugin_tb*);
std::uint64_t qemu_plugin_tb_vaddr(const qemu_plugin_tb*);
qemu_plugin_insn* qemu_plugin_tb_get_insn(const qemu_plugin_tb*, std::size_t);
const void* qemu_plugin_insn_data(const qemu_plugin_insn*);
std::size_t qemu_plugin_insn_size(const qemu_plugin_insn*);

unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t);
qemu_plugin_hwaddr* qemu_plugin_get_hwaddr(qemu_plugin_meminfo_t, std::uint64_t address);
bool qemu_plugin_hwaddr_is_io(const qemu_plugin_hwaddr*);
std::uint64_t qemu_plugin_hwaddr_phys_addr(const qemu_plugin_hwaddr*);

}  // extern "C"
