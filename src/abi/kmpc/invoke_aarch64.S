// void vicino_kmpc_invoke(Microtask* fn, int32_t* gtid, int32_t* tid, uint64_t count, void** args)
//
// Calls fn(gtid, tid, args[0], …, args[count-1]). The number of arguments is known only at run time, which
// C cannot express. The first eight arguments go in registers, the others on the stack, which is aligned to
// 16 bytes at the call. args has at least four readable words, whatever count is, so these are loaded without
// checking count. Six would fill the registers, but with them a call would not fit into a cache line (Mailbox in
// team/call.hpp); so the last two are loaded if there are that many.
        .text

        .macro begin name
        .globl  \name
        .hidden \name
        .type   \name, %function
        .p2align 4
\name:
        .cfi_startproc
        stp     x29, x30, [sp, #-16]!
        .cfi_def_cfa_offset 16
        .cfi_offset 29, -16
        .cfi_offset 30, -8
        mov     x29, sp
        .cfi_def_cfa_register 29
        .endm

// The same, with void** frame as the last argument: stores there the frame's address.
        begin   vicino_kmpc_invoke_watched
        str     x29, [x5]
        b       .Lcall
        .cfi_endproc
        .size   vicino_kmpc_invoke_watched, .-vicino_kmpc_invoke_watched

        begin   vicino_kmpc_invoke
.Lcall: mov     x9, x0                          // fn
        mov     x10, x4                         // args
        mov     x0, x1                          // gtid
        mov     x1, x2                          // tid
        subs    x11, x3, #5
        b.lo    4f
        b.eq    3f
        subs    x11, x11, #1
        b.eq    2f
        add     x12, x11, #1                    // words on the stack, rounded up to an even number
        and     x12, x12, #-2
        sub     sp, sp, x12, lsl #3
        add     x12, x10, #40
        sub     x13, sp, #8
1:      ldr     x14, [x12, x11, lsl #3]         // args[5 + x11], last first
        str     x14, [x13, x11, lsl #3]
        subs    x11, x11, #1
        b.ne    1b
2:      ldr     x7, [x10, #40]
3:      ldr     x6, [x10, #32]
4:      ldp     x2, x3, [x10]
        ldp     x4, x5, [x10, #16]
        blr     x9
        mov     sp, x29
        ldp     x29, x30, [sp], #16
        .cfi_restore 29
        .cfi_restore 30
        .cfi_def_cfa 31, 0
        ret
        .cfi_endproc
        .size   vicino_kmpc_invoke, .-vicino_kmpc_invoke
        .section .note.GNU-stack, "", %progbits
