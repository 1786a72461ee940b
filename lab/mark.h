/* Marks around a region whose memory accesses the lab counts (lab/README.md). C and C++.
 *
 * A mark is a long NOP with a magic displacement. It has no effect on any processor; the lab's
 * plugin sees it when QEMU translates the block that holds it. The short jump behind it ends QEMU's
 * block, so that counting begins and ends at the mark and not at the next branch that follows.
 *
 *   LAB_REGION(n)  names the next regions: n is a constant, 0 to 127. A region's number stays until
 *                  the next LAB_REGION; without one it is 0.
 *   LAB_START()    zeroes the counters of all CPUs and begins to count; caches keep what they hold.
 *   LAB_STOP()     stops counting and writes the region's counts.
 *   LAB_ARM()      begins modelled time (lab/guest/init.c does it before exec when asked).
 */
#ifndef VICINO_LAB_MARK_H
#define VICINO_LAB_MARK_H

#ifdef __x86_64__
#define LAB_MARK(code)                \
  __asm__ __volatile__(               \
      ".byte 0x0f, 0x1f, 0x80\n\t"    \
      ".long %c0\n\t"                 \
      "jmp 1f\n"                      \
      "1:" ::"i"(0x4C414200 | (code)) \
      : "memory")
#else
#define LAB_MARK(code) ((void)0) /* the lab's plugin knows x86 only */
#endif

#define LAB_START() LAB_MARK(1)
#define LAB_STOP() LAB_MARK(2)
#define LAB_ARM() LAB_MARK(3)
#define LAB_REGION(n) LAB_MARK(0x80 | (n))

#endif
