// lse_aarch64.S: the helpers that compilers call for atomic read-modify-writes on aarch64 (-moutline-atomics).
//
// Why    Armv8.1 has an instruction for each of them (LSE); before, they are loops of load-exclusive and
//        store-exclusive, in which many cores that want one line hinder each other. A program for all processors
//        has to ask at run time, and the compiler calls a helper that does. libgcc has them, but the library of the
//        dist build's compiler has them without the question: always the loop.
// Names  __aarch64_OPERATION BYTES _ORDER. The operand is in x0, for a compare-and-swap the expected value in x0 and
//        the new one in x1; the address is in the next register. They return the old value. Only x15 to x17 and the
//        flags are changed besides.
// Orders `acq_rel` is also what a sequentially consistent one calls; the instructions are then ordered with each other
//        and with the load-acquires by which the compilers make sequentially consistent loads.
        .arch armv8-a+lse
        .text

#define BEGIN(name)                      \
        .globl  name;                    \
        .hidden name;                    \
        .type   name, %function;         \
        .p2align 4;                      \
name:   .cfi_startproc;                  \
        adrp    x16, vicino_has_lse;     \
        ldrb    w16, [x16, :lo12:vicino_has_lse]; \
        cbz     w16, 1f

#define END(name)                        \
        ret;                             \
        .cfi_endproc;                    \
        .size   name, .-name

// S: of the instruction, for small objects; R: the letter of the registers; EXTEND: makes the expected value
// comparable; A and L: of the order.
#define CAS(NAME, BYTES, S, R, EXTEND, A, L) \
        BEGIN(NAME);                     \
        cas##A##L##S R##0, R##1, [x2];   \
        ret;                             \
1:      EXTEND  R##16, R##0;             \
2:      ld##A##xr##S R##0, [x2];         \
        cmp     R##0, R##16;             \
        b.ne    3f;                      \
        st##L##xr##S w17, R##1, [x2];    \
        cbnz    w17, 2b;                 \
3:      END(NAME)

#define SWAP(NAME, BYTES, S, R, EXTEND, A, L) \
        BEGIN(NAME);                     \
        swp##A##L##S R##0, R##0, [x1];   \
        ret;                             \
1:      mov     R##16, R##0;             \
2:      ld##A##xr##S R##0, [x1];         \
        st##L##xr##S w17, R##16, [x1];   \
        cbnz    w17, 2b;                 \
        END(NAME)

#define CHANGE(NAME, ONE, LOOP, S, R, A, L) \
        BEGIN(NAME);                     \
        ONE##A##L##S R##0, R##0, [x1];   \
        ret;                             \
1:      mov     R##16, R##0;             \
2:      ld##A##xr##S R##0, [x1];         \
        LOOP    R##17, R##0, R##16;      \
        st##L##xr##S w15, R##17, [x1];   \
        cbnz    w15, 2b;                 \
        END(NAME)

#define OF_ORDER(BYTES, S, R, EXTEND, ORDER, A, L)                             \
        CAS(__aarch64_cas##BYTES##_##ORDER, BYTES, S, R, EXTEND, A, L);        \
        SWAP(__aarch64_swp##BYTES##_##ORDER, BYTES, S, R, EXTEND, A, L);       \
        CHANGE(__aarch64_ldadd##BYTES##_##ORDER, ldadd, add, S, R, A, L);      \
        CHANGE(__aarch64_ldclr##BYTES##_##ORDER, ldclr, bic, S, R, A, L);      \
        CHANGE(__aarch64_ldeor##BYTES##_##ORDER, ldeor, eor, S, R, A, L);      \
        CHANGE(__aarch64_ldset##BYTES##_##ORDER, ldset, orr, S, R, A, L)

#define OF_SIZE(BYTES, S, R, EXTEND)                  \
        OF_ORDER(BYTES, S, R, EXTEND, relax, , );     \
        OF_ORDER(BYTES, S, R, EXTEND, acq, a, );      \
        OF_ORDER(BYTES, S, R, EXTEND, rel, , l);      \
        OF_ORDER(BYTES, S, R, EXTEND, acq_rel, a, l)

        OF_SIZE(1, b, w, uxtb)
        OF_SIZE(2, h, w, uxth)
        OF_SIZE(4, , w, mov)
        OF_SIZE(8, , x, mov)
        .section .note.GNU-stack, "", %progbits
