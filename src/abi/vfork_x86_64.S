// vfork(): children.cpp says why it jumps to the C library's.
        .text
        .globl  vfork
        .type   vfork, @function
        .hidden vicino_before_vfork
vfork:
        .cfi_startproc
        subq    $8, %rsp
        .cfi_adjust_cfa_offset 8
        call    vicino_before_vfork
        addq    $8, %rsp
        .cfi_adjust_cfa_offset -8
        jmp     *%rax
        .cfi_endproc
        .size   vfork, .-vfork
        .section .note.GNU-stack, "", @progbits
