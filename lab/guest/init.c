// init.c: the first process of a lab guest. It runs one command and reports how the command ended.
//
// Why    The guest has no distribution: it boots nothing but an archive with the command, its
//        libraries and this program. So this program is static, and does what an init system does.
// Ports  ttyS0 is the kernel's console. ttyS1 and ttyS2 are the command's standard output and
//        error, raw: bytes arrive as they were written. ttyS3 is the report, apart from all that
//        programs and the kernel print, so that no output can be taken for it.
// Report one line each: "up" before the command starts, then "exit N" or "signal N"; or
//        "failed TEXT" when the guest is not what the launcher asked for.
// Input  files below /lab: program (what to execute), argv and env (strings that end in NUL), cwd,
//        cpus (how many must be online), settings (PATH=VALUE lines), arm (exists: the plugin is to
//        run all CPUs in lockstep from the command's first instruction on).
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#ifdef __x86_64__
#include <sys/io.h>
#endif

#include "../mark.h"

enum { kExitPort = 0xf4, kOnlineSeconds = 60 };

static int report_port = -1;

// Powers the machine off; on x86-64 QEMU's isa-debug-exit is quicker than ACPI by a second.
static void leave(void) {
  tcdrain(report_port);
#ifdef __x86_64__
  if (ioperm(kExitPort, 4, 1) == 0) outl(0, kExitPort);
#endif
  reboot(RB_POWER_OFF);
  for (;;) pause();
}

static void report(const char* format, ...) {
  va_list values;
  va_start(values, format);
  vdprintf(report_port, format, values);
  va_end(values);
}

static void fail(const char* what, const char* detail) {
  report("failed %s: %s (%s)\n", what, detail, strerror(errno));
  leave();
}

static void mount_at(const char* type, const char* folder) {
  mkdir(folder, 0755);
  if (mount(type, folder, type, 0, NULL) != 0 && errno != EBUSY) fail("mount", folder);
}

static int open_port(const char* path) {
  const int port = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (port < 0) fail("open", path);
  struct termios settings;
  if (tcgetattr(port, &settings) != 0) fail("tcgetattr", path);
  cfmakeraw(&settings);
  cfsetspeed(&settings, B115200);
  if (tcsetattr(port, TCSANOW, &settings) != 0) fail("tcsetattr", path);
  return port;
}

struct text {
  char* bytes;
  size_t size;
};

// A whole file, with a NUL behind it; empty when there is none.
static struct text read_file(const char* path) {
  struct text text = {NULL, 0};
  FILE* file = fopen(path, "re");
  if (file == NULL) return text;
  size_t room = 0;
  do {
    room = room * 2 + 4096;
    text.bytes = realloc(text.bytes, room + 1);
    if (text.bytes == NULL) fail("read", path);
    text.size += fread(text.bytes + text.size, 1, room - text.size, file);
  } while (text.size == room);
  fclose(file);
  text.bytes[text.size] = 0;
  return text;
}

// The strings of a file, each of which ends in NUL, as execve() takes them.
static char** read_strings(const char* path) {
  const struct text text = read_file(path);
  size_t count = 0;
  for (size_t i = 0; i < text.size; i++) count += text.bytes[i] == 0;
  char** strings = calloc(count + 1, sizeof *strings);
  if (strings == NULL) fail("read", path);
  char* next = text.bytes;
  for (size_t i = 0; i < count; i++, next += strlen(next) + 1) strings[i] = next;
  return strings;
}

static void apply_settings(void) {
  const struct text text = read_file("/lab/settings");
  if (text.bytes == NULL) return;
  for (char* line = strtok(text.bytes, "\n"); line != NULL; line = strtok(NULL, "\n")) {
    char* equals = strchr(line, '=');
    if (equals == NULL) fail("setting without a value", line);
    *equals = 0;
    const int file = open(line, O_WRONLY | O_CLOEXEC);
    const size_t size = strlen(equals + 1);
    if (file < 0 || write(file, equals + 1, size) != (ssize_t)size) fail("setting", line);
    close(file);
  }
}

static void raise_loopback(void) {
  const int socket_fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
  if (socket_fd < 0 || ioctl(socket_fd, SIOCSIFFLAGS, &request) != 0) fail("raise", "lo");
  close(socket_fd);
}

// A program that starts before the last CPU is online sees a smaller machine.
static void await_cpus(void) {
  const struct text text = read_file("/lab/cpus");
  const long wanted = text.bytes == NULL ? 0 : atol(text.bytes);
  long online = 0;
  for (int tenths = 0; tenths < kOnlineSeconds * 10; tenths++) {
    online = sysconf(_SC_NPROCESSORS_ONLN);
    if (online == wanted) return;
    usleep(100000);
  }
  report("failed %ld CPUs are online, the machine has %ld\n", online, wanted);
  leave();
}

// Sets the limits of a login on Debian; the kernel's first process has other ones.
static void set_limits(void) {
  const struct rlimit stack = {8 << 20, RLIM_INFINITY};
  const struct rlimit core = {0, RLIM_INFINITY};
  const struct rlimit files = {1024, 1 << 20};
  setrlimit(RLIMIT_STACK, &stack);
  setrlimit(RLIMIT_CORE, &core);
  setrlimit(RLIMIT_NOFILE, &files);
}

static void run_command(int output, int errors) {
  char* program = read_file("/lab/program").bytes;
  char** arguments = read_strings("/lab/argv");
  char** environment = read_strings("/lab/env");
  const char* folder = read_file("/lab/cwd").bytes;
  if (program == NULL || folder == NULL || chdir(folder) != 0) _exit(126);
  set_limits();
  setsid();
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  if (access("/lab/arm", F_OK) == 0) LAB_ARM();
  execve(program, arguments, environment);
  const int status = errno == ENOENT ? 127 : 126;  // as shells do
  dprintf(STDERR_FILENO, "%s: %s\n", arguments[0], strerror(errno));
  _exit(status);
}

static int wait_for(pid_t child) {
  int status = 0;
  for (;;) {
    const pid_t ended = wait(&status);  // orphans end here too
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR) fail("wait", "the command");
  }
}

int main(void) {
  mount_at("devtmpfs", "/dev");
  report_port = open_port("/dev/ttyS3");
  mount_at("proc", "/proc");
  mount_at("sysfs", "/sys");
  mount_at("tmpfs", "/dev/shm");
  symlink("/proc/self/fd", "/dev/fd");
  mkdir("/tmp", 0777);
  chmod("/tmp", 01777);
  apply_settings();
  raise_loopback();
  await_cpus();
  const int output = open_port("/dev/ttyS1");
  const int errors = open_port("/dev/ttyS2");

  report("up\n");
  const pid_t child = fork();
  if (child < 0) fail("fork", "the command");
  if (child == 0) run_command(output, errors);
  const int status = wait_for(child);
  tcdrain(output);
  tcdrain(errors);
  if (WIFEXITED(status)) {
    report("exit %d\n", WEXITSTATUS(status));
  } else {
    report("signal %d\n", WTERMSIG(status));
  }
  leave();
}
