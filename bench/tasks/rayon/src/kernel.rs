//! The program around a task kernel on rayon: the arguments, the time and the answer's check of
//! ../../kernel.hpp.

use std::process::exit;

/// A kernel, with what `kernel_main` of kernel.hpp asks for.
pub trait Kernel: Send {
    const NAME: &'static str;
    const SMALL: usize;
    const LARGE: usize;
    const MOST: usize;

    /// Makes the input and the right answer.
    fn new(size: usize) -> Self;
    /// Runs before each run and is not timed.
    fn prepare(&mut self);
    /// Is timed.
    fn run(&mut self);
    /// Whether the last run's answer is right.
    fn right(&self) -> bool;
    /// How many tasks a run generates; 0 if that is not of interest.
    fn tasks(&self) -> usize {
        0
    }
}

/// A pseudorandom number that depends on its argument alone, as in ../../../kernels/numbers.hpp.
pub fn scrambled(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e3779b97f4a7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d049bb133111eb);
    mixed ^ (mixed >> 31)
}

struct Options {
    size: Option<usize>,
    large: bool,
    repeat: usize,
}

fn reject(why: &str, what: &str) -> ! {
    eprintln!("{why} '{what}'; accepted: --size N | --large, --repeat N (N a whole number from 1)");
    exit(2)
}

fn whole_number(text: &str) -> usize {
    match text.parse() {
        Ok(value) if value >= 1 => value,
        _ => reject("not a whole number from 1:", text),
    }
}

fn options() -> Options {
    let mut options = Options { size: None, large: false, repeat: 2 };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let name = word.as_str();
        if name == "--large" {
            options.large = true;
            continue;
        }
        if name != "--size" && name != "--repeat" {
            reject("unknown argument", name);
        }
        let value = words.next().unwrap_or_else(|| reject("a value is missing after", name));
        match name {
            "--size" => options.size = Some(whole_number(&value)),
            _ => options.repeat = whole_number(&value),
        }
    }
    options
}

#[repr(C)]
struct TimeSpec {
    seconds: i64,
    nanoseconds: i64,
}

extern "C" {
    fn clock_gettime(clock: i32, time: *mut TimeSpec) -> i32;
}

const WALL: i32 = 1; // CLOCK_MONOTONIC
const CPU: i32 = 2; // CLOCK_PROCESS_CPUTIME_ID

fn now(clock: i32) -> i64 {
    let mut time = TimeSpec { seconds: 0, nanoseconds: 0 };
    unsafe { clock_gettime(clock, &mut time) };
    time.seconds * 1_000_000_000 + time.nanoseconds
}

fn median(mut times: Vec<i64>) -> i64 {
    times.sort_unstable();
    (times[(times.len() - 1) / 2] + times[times.len() / 2]) / 2
}

/// The median wall and CPU times of a run, in nanoseconds.
fn measure<K: Kernel>(pool: &rayon::ThreadPool, kernel: &mut K, repeat: usize) -> (i64, i64) {
    let (mut wall, mut cpu) = (Vec::new(), Vec::new());
    for run in 1..=repeat {
        kernel.prepare();
        let start = (now(WALL), now(CPU));
        pool.install(|| kernel.run());
        wall.push(now(WALL) - start.0);
        cpu.push(now(CPU) - start.1);
        if !kernel.right() {
            eprintln!("refused: wrong answer from {}, run {run}", K::NAME);
            exit(4);
        }
    }
    (median(wall), median(cpu))
}

/// The whole program. Its threads are those that OpenMP would use: OMP_NUM_THREADS, or one a core.
pub fn kernel_main<K: Kernel>() {
    let options = options();
    let size = options.size.unwrap_or(if options.large { K::LARGE } else { K::SMALL });
    if size > K::MOST {
        eprintln!("--size {size} is too large; {} accepts 1 to {}", K::NAME, K::MOST);
        exit(2);
    }
    let threads = std::env::var("OMP_NUM_THREADS").map_or(0, |text| whole_number(&text));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    if size > K::SMALL {
        measure(&pool, &mut K::new(K::SMALL), 1); // warms up code and heap
    }
    let mut kernel = K::new(size);
    let (ns, cpu_ns) = measure(&pool, &mut kernel, options.repeat);
    println!(
        "{{\"kind\":\"kernel\",\"kernel\":\"{}\",\"size\":{size},\"tasks\":{},\"ns\":{ns},\"cpu_ns\":{cpu_ns}}}",
        K::NAME,
        kernel.tasks()
    );
}
