// vfork(): children.cpp says why it jumps to the C library's.
        .text
        .globl  vfork
        .type   vfork, %function
        .hidden vicino_before_vfork
        .p2align 2
vfork:
        .cfi_startproc
        stp     x29, x30, [sp, #-16]!
        .cfi_def_cfa_offset 16
        .cfi_offset 29, -16
        .cfi_offset 30, -8
        bl      vicino_before_vfork
        ldp     x29, x30, [sp], #16
        .cfi_restore 29
        .cfi_restore 30
        .cfi_def_cfa_offset 0
        mov     x16, x0                         // a jump by x16 may reach what is guarded as the target of calls (BTI)
        br      x16
        .cfi_endproc
        .size   vfork, .-vfork
        .section .note.GNU-stack, "", %progbits
