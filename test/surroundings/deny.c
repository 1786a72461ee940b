// Runs a program under a filter that refuses system calls: deny ERRNO NUMBER... -- PROGRAM [ARGUMENT...]
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { kMost = 64 };

int main(int count, char** words) {
  struct sock_filter filter[2 * kMost + 2] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
  unsigned short length = 1;
  int at = 2;
  for (; at < count && strcmp(words[at], "--") != 0 && length < 2 * kMost; ++at) {
    const struct sock_filter refuse[] = {
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)atoi(words[at]), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)atoi(words[1]))};
    memcpy(filter + length, refuse, sizeof refuse);
    length += 2;
  }
  filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const struct sock_fprog program = {length, filter};
  if (at >= count || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    perror("deny");
    return 77;
  }
  execv(words[at + 1], words + at + 1);
  perror(words[at + 1]);
  return 78;
}
