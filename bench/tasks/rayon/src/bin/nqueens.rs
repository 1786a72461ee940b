//! nqueens, on rayon.

use kernel::{kernel_main, Kernel};
use rayon::prelude::*;

const MOST: usize = 14;
// The known numbers of solutions.
const SOLUTIONS: [u64; MOST + 1] =
    [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596];

type Board = [i8; MOST]; // where the queen of each row is

fn is_free(board: &Board, row: usize, column: usize) -> bool {
    (0..row).all(|above| {
        let apart = (board[above] - column as i8).unsigned_abs() as usize;
        apart != 0 && apart != row - above
    })
}

fn place(board: &Board, row: usize, n: usize) -> u64 {
    if row == n {
        return 1;
    }
    (0..n)
        .into_par_iter()
        .with_max_len(1) // a task for each queen that finds a place
        .filter(|&column| is_free(board, row, column))
        .map(|column| {
            let mut next = *board;
            next[row] = column as i8;
            place(&next, row + 1, n)
        })
        .sum()
}

struct Queens {
    n: usize,
    answer: u64,
}

impl Kernel for Queens {
    const NAME: &'static str = "nqueens";
    const SMALL: usize = 7;
    const LARGE: usize = 12;
    const MOST: usize = MOST;

    fn new(size: usize) -> Self {
        Queens { n: size, answer: 0 }
    }
    fn prepare(&mut self) {
        self.answer = u64::MAX;
    }
    fn run(&mut self) {
        self.answer = place(&[0; MOST], 0, self.n);
    }
    fn right(&self) -> bool {
        self.answer == SOLUTIONS[self.n]
    }
}

fn main() {
    kernel_main::<Queens>()
}
