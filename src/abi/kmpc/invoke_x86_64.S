// void vicino_kmpc_invoke(Microtask* fn, int32_t* gtid, int32_t* tid, uint64_t count, void** args)
//
// Calls fn(gtid, tid, args[0], …, args[count-1]). The number of arguments is known only at run time, which
// C cannot express. The first six arguments go in registers, the others on the stack, which is aligned to
// 16 bytes at the call. args has at least four readable words, whatever count is, so the registers are
// loaded without checking count.
        .text

        .macro begin name
        .globl  \name
        .hidden \name
        .type   \name, @function
        .p2align 4
\name:
        .cfi_startproc
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        .endm

// The same, with void** frame as the last argument: stores there the frame's address.
        begin   vicino_kmpc_invoke_watched
        movq    %rbp, (%r9)
        jmp     .Lcall
        .cfi_endproc
        .size   vicino_kmpc_invoke_watched, .-vicino_kmpc_invoke_watched

        begin   vicino_kmpc_invoke
.Lcall: movq    %rdi, %r10                      // fn
        movq    %r8, %r11                       // args
        movq    %rsi, %rdi                      // gtid
        movq    %rdx, %rsi                      // tid
        subq    $4, %rcx
        jbe     2f
        leaq    1(%rcx), %rax                   // words on the stack, rounded up to an even number
        andq    $-2, %rax
        shlq    $3, %rax
        subq    %rax, %rsp
1:      movq    24(%r11,%rcx,8), %rax           // args[3 + rcx], last first
        movq    %rax, -8(%rsp,%rcx,8)
        decq    %rcx
        jnz     1b
2:      movq    (%r11), %rdx
        movq    8(%r11), %rcx
        movq    16(%r11), %r8
        movq    24(%r11), %r9
        xorl    %eax, %eax                      // no vector registers in use
        call    *%r10
        leave
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   vicino_kmpc_invoke, .-vicino_kmpc_invoke
        .section .note.GNU-stack, "", @progbits
