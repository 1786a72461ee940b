#include "process.hpp"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <utility>

#include "say.hpp"

namespace vicino::cli {
namespace {

using Clock = std::chrono::steady_clock;

class File {
 public:
  explicit File(int fd) : fd_(fd) {
    if (fd < 0) throw Failure(kUsage, fmt::format("cannot open a file: {}", strerror(errno)));
  }
  File(File&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  File& operator=(File&&) = delete;
  ~File() { close_now(); }
  int fd() const noexcept { return fd_; }
  void close_now() {
    if (fd_ >= 0) close(std::exchange(fd_, -1));
  }

 private:
  int fd_;
};

std::string contents(const File& file) {
  std::string text(static_cast<size_t>(lseek(file.fd(), 0, SEEK_END)), '\0');
  size_t have = 0;
  while (have < text.size()) {
    const ssize_t got = pread(file.fd(), text.data() + have, text.size() - have, off_t(have));
    if (got <= 0) break;
    have += static_cast<size_t>(got);
  }
  text.resize(have);
  return text;
}

// Opens the file anew each time: a shared file position would be at the end for the second run.
File standard_input() {
  struct stat info;
  if (fstat(STDIN_FILENO, &info) == 0 && S_ISREG(info.st_mode)) {
    File file(open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC));
    lseek(file.fd(), lseek(STDIN_FILENO, 0, SEEK_CUR), SEEK_SET);
    return file;
  }
  return File(open("/dev/null", O_RDONLY | O_CLOEXEC));
}

sigset_t stopping_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&set, signal);
  return set;
}

struct Child {
  Words command;
  Environment environment;
  File in = standard_input();
  File out = File(memfd_create("stdout", MFD_CLOEXEC));
  File err = File(memfd_create("stderr", MFD_CLOEXEC));
  std::array<int, 2> error_pipe{};  // carries errno if exec fails; a good exec closes it
  pid_t pid = -1;

  void start();
  [[noreturn]] void become_program();
  void stop(int signal) const { kill(-pid, signal); }
};

void Child::become_program() {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(in.fd(), STDIN_FILENO);
  dup2(out.fd(), STDOUT_FILENO);
  dup2(err.fd(), STDERR_FILENO);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvpe(arguments[0], arguments.data(), environment.pointers().data());
  const int error = errno;
  [[maybe_unused]] const ssize_t told = write(error_pipe[1], &error, sizeof error);
  _exit(kNotFound);
}

void Child::start() {
  if (pipe2(error_pipe.data(), O_CLOEXEC) != 0) throw Failure(kUsage, "cannot make a pipe");
  pid = fork();
  if (pid == 0) become_program();
  close(error_pipe[1]);
  int error = 0;
  const bool failed = pid < 0 || read(error_pipe[0], &error, sizeof error) == sizeof error;
  close(error_pipe[0]);
  if (pid < 0) throw Failure(kUsage, fmt::format("cannot start a process: {}", strerror(errno)));
  if (!failed) return;
  waitpid(pid, nullptr, 0);
  cannot_execute(command[0], error);
}

timespec until(Clock::time_point when) {
  const auto left = std::max(when - Clock::now(), Clock::duration(0));
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
  return {seconds.count(), std::chrono::nanoseconds(left - seconds).count()};
}

double in_seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

// Waits for the child's end. On a signal or at the deadline it stops the child's group; it uses
// SIGKILL only if the child does not end within kGrace or another signal comes.
class Watch {
 public:
  Watch(const Child& child, std::optional<Seconds> timeout) : child_(child) {
    sigaddset(&signals_, SIGCHLD);
    if (timeout) deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(*timeout);
  }

  void wait(Outcome& outcome, rusage& usage) {
    while (wait4(child_.pid, &outcome.wait_status, WNOHANG, &usage) == 0) {
      const int signal = next_signal();
      if (signal == SIGCHLD) continue;
      if (signal < 0 && errno != EAGAIN) continue;
      if (stopping_) {
        stop(SIGKILL);
      } else if (signal > 0) {
        outcome.interrupted = signal;
        stop(signal);
      } else {
        outcome.timed_out = true;
        stop(SIGTERM);
      }
    }
  }

 private:
  static constexpr std::chrono::seconds kGrace{2};

  void stop(int signal) {
    child_.stop(signal);
    stopping_ = true;
    deadline_ = Clock::now() + kGrace;
  }

  int next_signal() {
    if (!deadline_) return sigwaitinfo(&signals_, nullptr);
    const timespec left = until(*deadline_);
    return sigtimedwait(&signals_, nullptr, &left);
  }

  const Child& child_;
  sigset_t signals_ = stopping_signals();
  std::optional<Clock::time_point> deadline_;
  bool stopping_ = false;
};

}  // namespace

HeldSignals::HeldSignals() {
  signal(SIGCHLD, SIG_DFL);  // a parent may have left it ignored, which would hide exit statuses
  sigset_t set = stopping_signals();
  sigaddset(&set, SIGCHLD);
  sigaddset(&set, SIGTSTP);
  sigprocmask(SIG_BLOCK, &set, &before_);
}

HeldSignals::~HeldSignals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

std::string how_it_ended(const Outcome& outcome) {
  if (outcome.timed_out) return "it did not end in time";
  const int status = outcome.wait_status;
  if (WIFSIGNALED(status))
    return fmt::format("signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("exit status {}", WEXITSTATUS(status));
}

Outcome run_once(const Words& command, Environment environment, std::optional<Seconds> timeout) {
  Child child{.command = command, .environment = std::move(environment)};
  Outcome outcome;
  rusage usage{};
  const auto start = Clock::now();
  child.start();
  Watch(child, timeout).wait(outcome, usage);
  outcome.wall = Seconds(Clock::now() - start).count();
  child.stop(SIGKILL);  // what it has left running
  outcome.user = in_seconds(usage.ru_utime);
  outcome.system = in_seconds(usage.ru_stime);
  outcome.out = contents(child.out);
  outcome.err = contents(child.err);
  return outcome;
}

}  // namespace vicino::cli
