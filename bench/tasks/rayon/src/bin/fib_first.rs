//! fib_first, on rayon: of the two calls of a node, join() makes one a task. So there is no form
//! with a task for each call.

use kernel::{kernel_main, Kernel};

fn fib(n: usize) -> u64 {
    if n < 2 {
        return n as u64;
    }
    let (one, two) = rayon::join(|| fib(n - 1), || fib(n - 2));
    one + two
}

fn right(n: usize) -> u64 {
    let (mut now, mut next) = (0, 1);
    for _ in 0..n {
        (now, next) = (next, now + next);
    }
    now
}

struct Fib {
    n: usize,
    answer: u64,
}

impl Kernel for Fib {
    const NAME: &'static str = "fib_first";
    const SMALL: usize = 16;
    const LARGE: usize = 34;
    const MOST: usize = 60;

    fn new(size: usize) -> Self {
        Fib { n: size, answer: 0 }
    }
    fn prepare(&mut self) {
        self.answer = 0;
    }
    fn run(&mut self) {
        self.answer = fib(self.n);
    }
    fn right(&self) -> bool {
        self.answer == right(self.n)
    }
    fn tasks(&self) -> usize {
        right(self.n + 1) as usize - 1
    }
}

fn main() {
    kernel_main::<Fib>()
}
