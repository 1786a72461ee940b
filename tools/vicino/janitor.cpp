#include "janitor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace vicino::cli {
namespace {

// A pidfd becomes readable when the process ends. Linux before 5.3 has no pidfd; then an open
// /proc/PID serves: it never comes to mean another process with the same number.
void wait_for_end(int pidfd, int proc) {
  if (pidfd >= 0) {
    pollfd poll_for = {pidfd, POLLIN, 0};
    while (poll(&poll_for, 1, -1) < 0) {
    }
    return;
  }
  while (faccessat(proc, "stat", F_OK, 0) == 0) usleep(200'000);
}

void close_all_but(int first, int second) {
  std::vector<int> files;
  std::error_code ignored;  // where /proc is empty they stay open
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", ignored))
    files.push_back(std::stoi(entry.path().filename()));
  for (const int file : files)
    if (file != first && file != second) close(file);
}

[[noreturn]] void clean_up(int pidfd, int proc, const std::filesystem::path& folder) {
  setsid();
  if (chdir("/") != 0) _exit(1);
  close_all_but(pidfd, proc);
  wait_for_end(pidfd, proc);
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  _exit(0);
}

}  // namespace

bool start_janitor(const std::filesystem::path& folder) {
  const pid_t self = getpid();
  const int pidfd = static_cast<int>(syscall(SYS_pidfd_open, self, 0));
  const std::string proc_path = "/proc/" + std::to_string(self);
  const int proc = open(proc_path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (pidfd < 0 && proc < 0) return false;

  const pid_t child = fork();
  if (child == 0) {
    const pid_t grandchild = fork();
    if (grandchild == 0) clean_up(pidfd, proc, folder);
    _exit(grandchild > 0 ? 0 : 1);
  }
  int status = 1;
  if (child > 0) waitpid(child, &status, 0);
  if (pidfd >= 0) close(pidfd);
  if (proc >= 0) close(proc);
  return child > 0 && status == 0;
}

}  // namespace vicino::cli
