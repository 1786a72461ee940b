// Runs commands one after the other, each a line of a file: settings NAME=VALUE, a program, its arguments. Says how long each
// took, and which ended with another status than 0. There is no shell in the guest.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { kMost = 64 };

static void run(char* line) {
  char* words[kMost + 1] = {0};
  int count = 0;
  for (char* word = strtok(line, " \n"); word != NULL && count < kMost; word = strtok(NULL, " \n"))
    if (count == 0 && strchr(word, '=') != NULL)
      putenv(word);
    else
      words[count++] = word;
  execv(words[0], words);
  perror(words[0]);
  _exit(127);
}

int main(int count, char** arguments) {
  FILE* const file = count == 2 ? fopen(arguments[1], "r") : NULL;
  if (file == NULL) return 2;
  setvbuf(stdout, NULL, _IONBF, 0);
  static char line[1 << 14], kept[1 << 14];
  int failed = 0, ran = 0;
  while (fgets(line, sizeof line, file) != NULL) {
    strcpy(kept, line);
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    const pid_t child = fork();
    if (child == 0) run(line);
    int status = -1;
    waitpid(child, &status, 0);
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%3ld s %s", (long)(end.tv_sec - begin.tv_sec), kept);
    ++ran;
    if (status == 0) continue;
    ++failed;
    printf("status %#x: %s", (unsigned)status, kept);
  }
  printf("%d runs, %d failed\n", ran, failed);
  return failed != 0 || ran == 0;
}
