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
#include <functional>
#include <utility>

#include "say.hpp"

namespace vicino::cli {
namespace {

using Clock = std::chrono::steady_clock;

class File {
 public:
  File(int fd, const char* name) : fd_(fd) {
    if (fd < 0) throw Failure(kUsage, fmt::format("cannot open {}: {}", name, strerror(errno)));
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
    File file(open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC), "/proc/self/fd/0");
    lseek(file.fd(), lseek(STDIN_FILENO, 0, SEEK_CUR), SEEK_SET);
    return file;
  }
  return File(open("/dev/null", O_RDONLY | O_CLOEXEC), "/dev/null");
}

struct Pipe {
  std::array<int, 2> ends{-1, -1};

  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
      throw Failure(kUsage, fmt::format("cannot make a pipe: {}", strerror(errno)));
  }
  Pipe(Pipe&& other) noexcept : ends(std::exchange(other.ends, {-1, -1})) {}
  Pipe& operator=(Pipe&&) = delete;
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  void close_end(int end) {
    if (ends[end] >= 0) close(std::exchange(ends[end], -1));
  }
};

struct Child {
  Words command;
  Environment environment;
  File in = standard_input();
  File out = File(memfd_create("stdout", MFD_CLOEXEC), "a file in memory");
  File err = File(memfd_create("stderr", MFD_CLOEXEC), "a file in memory");
  std::optional<Pipe> error{};  // carries errno if exec fails; a good exec closes it
  pid_t pid = -1;
  bool running = false;

  void start(Pipe& gate);
  void expect_program();
  [[noreturn]] void become_program(Pipe& gate);
  void stop(int signal) const { kill(-pid, signal); }
};

void Child::become_program(Pipe& gate) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  gate.close_end(1);
  char go;
  if (read(gate.ends[0], &go, 1) != 1) _exit(kNotFound);  // the parent has given up
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
  const int failure = errno;
  [[maybe_unused]] const ssize_t told = write(error->ends[1], &failure, sizeof failure);
  _exit(kNotFound);
}

void Child::start(Pipe& gate) {
  error.emplace();
  pid = fork();
  if (pid == 0) become_program(gate);
  if (pid < 0) throw Failure(kUsage, fmt::format("cannot start a process: {}", strerror(errno)));
  running = true;
  in.close_now();
  error->close_end(1);
}

void Child::expect_program() {
  int failure = 0;
  const bool failed = read(error->ends[0], &failure, sizeof failure) == sizeof failure;
  error.reset();
  if (failed) cannot_execute(command[0], failure);
}

// The copies of a program. None runs on after this object's end.
struct Copies {
  std::vector<Child> children;
  Clock::time_point start;

  Copies(const Words& command, const Environment& environment, int count) {
    for (int i = 0; i < count; ++i)
      children.push_back({.command = command, .environment = environment});
  }
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;
  ~Copies() {
    for (const Child& child : children) {
      if (!child.running) continue;
      child.stop(SIGKILL);
      waitpid(child.pid, nullptr, 0);
    }
  }

  void start_together();
};

// All processes exist before the first becomes the program.
void Copies::start_together() {
  Pipe gate;
  for (Child& child : children) child.start(gate);
  gate.close_end(0);
  start = Clock::now();
  const std::string go(children.size(), ' ');
  if (write(gate.ends[1], go.data(), go.size()) != static_cast<ssize_t>(go.size()))
    throw Failure(kUsage, fmt::format("cannot start the program: {}", strerror(errno)));
  for (Child& child : children) child.expect_program();
}

timespec until(Clock::time_point when) {
  const auto left = std::max(when - Clock::now(), Clock::duration(0));
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
  return {seconds.count(), std::chrono::nanoseconds(left - seconds).count()};
}

double in_seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

// Waits for the end of all copies. It stops those that run on a signal, at the deadline, and as soon
// as one has failed. It uses SIGKILL only if one does not end within kGrace or another signal comes.
class Watch {
 public:
  Watch(Copies& copies, std::optional<Seconds> timeout)
      : copies_(copies), outcomes_(copies.children.size()) {
    sigaddset(&signals_, SIGCHLD);
    if (timeout) deadline_ = copies.start + std::chrono::duration_cast<Clock::duration>(*timeout);
  }

  std::vector<Outcome> wait() {
    while (take_ended() > 0) {
      const int signal = next_signal();
      if (signal == SIGCHLD) continue;
      if (signal < 0 && errno != EAGAIN) continue;
      if (stopping_)
        stop(SIGKILL, [](Outcome&) {});
      else if (signal > 0)
        stop(signal, [=](Outcome& outcome) { outcome.interrupted = signal; });
      else
        stop(SIGTERM, [](Outcome& outcome) { outcome.timed_out = true; });
    }
    // A signal may have come when all had ended, and ended them itself.
    constexpr timespec kNow{0, 0};
    const sigset_t stopping = stopping_signals();
    const int late = sigtimedwait(&stopping, nullptr, &kNow);
    for (size_t i = 0; i < outcomes_.size(); ++i) {
      if (late > 0) outcomes_[i].interrupted = late;
      outcomes_[i].out = contents(copies_.children[i].out);
      outcomes_[i].err = contents(copies_.children[i].err);
    }
    return std::move(outcomes_);
  }

 private:
  static constexpr std::chrono::seconds kGrace{2};

  // Returns how many run on.
  int take_ended() {
    int running = 0;
    bool failed = false;
    for (size_t i = 0; i < outcomes_.size(); ++i) {
      if (copies_.children[i].running) take_if_ended(copies_.children[i], outcomes_[i]);
      running += copies_.children[i].running ? 1 : 0;
      failed |= outcomes_[i].wait_status != 0;
    }
    if (failed && !stopping_) stop(SIGTERM, [](Outcome& outcome) { outcome.given_up = true; });
    return running;
  }

  void take_if_ended(Child& child, Outcome& outcome) {
    rusage usage{};
    if (wait4(child.pid, &outcome.wait_status, WNOHANG, &usage) != child.pid) return;
    outcome.wall = Seconds(Clock::now() - copies_.start).count();
    child.running = false;
    child.stop(SIGKILL);  // what it has left running
    outcome.user = in_seconds(usage.ru_utime);
    outcome.system = in_seconds(usage.ru_stime);
  }

  void stop(int signal, const std::function<void(Outcome&)>& mark) {
    for (size_t i = 0; i < outcomes_.size(); ++i) {
      if (!copies_.children[i].running) continue;
      copies_.children[i].stop(signal);
      mark(outcomes_[i]);
    }
    stopping_ = true;
    deadline_ = Clock::now() + kGrace;
  }

  int next_signal() {
    if (!deadline_) return sigwaitinfo(&signals_, nullptr);
    const timespec left = until(*deadline_);
    return sigtimedwait(&signals_, nullptr, &left);
  }

  Copies& copies_;
  std::vector<Outcome> outcomes_;
  sigset_t signals_ = stopping_signals();
  std::optional<Clock::time_point> deadline_;
  bool stopping_ = false;
};

}  // namespace

sigset_t stopping_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&set, signal);
  return set;
}

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

std::vector<Outcome> run_together(const Words& command, const Environment& environment,
                                  std::optional<Seconds> timeout, int count) {
  Copies copies(command, environment, count);
  copies.start_together();
  return Watch(copies, timeout).wait();
}

}  // namespace vicino::cli
