//! sort, on rayon: merge sort in four parts, whose merges are split into tasks as well.

use kernel::{kernel_main, scrambled, Kernel};
use rayon::join;

const LEAF: usize = 1024;

fn merge(a: &[i32], b: &[i32], to: &mut [i32]) {
    if a.len() + b.len() <= LEAF {
        return merge_here(a, b, to);
    }
    // The longer one is split in its middle, the other one where the middle's value would lie.
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let (long_low, long_high) = long.split_at(long.len() / 2);
    let (short_low, short_high) = short.split_at(short.partition_point(|&x| x < long_high[0]));
    let (to_low, to_high) = to.split_at_mut(long_low.len() + short_low.len());
    join(|| merge(long_low, short_low, to_low), || merge(long_high, short_high, to_high));
}

fn merge_here(a: &[i32], b: &[i32], to: &mut [i32]) {
    let (mut i, mut j) = (0, 0);
    for place in to {
        if j == b.len() || (i < a.len() && a[i] <= b[j]) {
            *place = a[i];
            i += 1;
        } else {
            *place = b[j];
            j += 1;
        }
    }
}

fn sort(data: &mut [i32], scratch: &mut [i32]) {
    if data.len() <= LEAF {
        return data.sort_unstable();
    }
    let quarter = data.len() / 4;
    {
        let (low, high) = data.split_at_mut(2 * quarter);
        let (scratch_low, scratch_high) = scratch.split_at_mut(2 * quarter);
        let (one, two) = low.split_at_mut(quarter);
        let (three, four) = high.split_at_mut(quarter);
        let (scratch_one, scratch_two) = scratch_low.split_at_mut(quarter);
        let (scratch_three, scratch_four) = scratch_high.split_at_mut(quarter);
        join(
            || join(|| sort(one, scratch_one), || sort(two, scratch_two)),
            || join(|| sort(three, scratch_three), || sort(four, scratch_four)),
        );
        join(|| merge(one, two, scratch_low), || merge(three, four, scratch_high));
    }
    let (low, high) = scratch.split_at(2 * quarter);
    merge(low, high, data);
}

struct Sort {
    input: Vec<i32>,
    data: Vec<i32>,
    scratch: Vec<i32>,
}

impl Kernel for Sort {
    const NAME: &'static str = "sort";
    const SMALL: usize = 20_000;
    const LARGE: usize = 4_000_000;
    const MOST: usize = 1_000_000_000;

    // A permutation of 0 to n-1, so each value says where it must end.
    fn new(size: usize) -> Self {
        let mut input: Vec<i32> = (0..size as i32).collect();
        for i in (2..=size).rev() {
            input.swap(i - 1, (scrambled(i as u64) % i as u64) as usize);
        }
        Sort { data: input.clone(), scratch: input.clone(), input }
    }
    fn prepare(&mut self) {
        self.data.clone_from(&self.input);
    }
    fn run(&mut self) {
        sort(&mut self.data, &mut self.scratch);
    }
    fn right(&self) -> bool {
        self.data.iter().enumerate().all(|(i, &value)| value == i as i32)
    }
}

fn main() {
    kernel_main::<Sort>()
}
