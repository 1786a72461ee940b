vicino profile 1
site 4143398faf0cb4e9a82ddedd58e1a22218784c78 0x125b loop team=2 trip_bits=11 objective=time machine=8b52f0e6c1a9d347
  binary /home/ada/solver
  where solver.c:8
  hardware 1 package, 1 node, 1 cache group, 2 cores, 2 hardware threads
  state settled round=0
  default static threads=2 cost=7.351 low=7.351 high=8.0365 samples=3
  best static threads=2 cost=7.351 low=7.351 high=8.0365 samples=3
  tried static threads=2 cost=7.351 low=7.351 high=8.0365 samples=3
  tried ich threads=2 cost=8.798 low=8.798 high=9.2085 samples=3 beaten
  tried mixed threads=2 cost=9.153 low=9.153 high=1875.2 samples=3 beaten
  tried guided threads=2 cost=8.6075 low=8.6075 high=9.2035 samples=3 beaten
  tried static threads=1 cost=107.66 low=107.66 high=2230.5 samples=2
  counts executions=46 iterations=92000 settled_iterations=62000 total_ns=22129871 explored_ns=8406001 explored_again=0
  used 2026-11-22
site 4143398faf0cb4e9a82ddedd58e1a22218784c78 0x135b loop team=2 trip_bits=10 objective=time machine=8b52f0e6c1a9d347
  binary /home/ada/solver
  where solver.c:14
  hardware 1 package, 1 node, 1 cache group, 2 cores, 2 hardware threads
  state settled round=2
  default static threads=2 cost=165.74 low=165.74 high=166.58 samples=3
  best guided threads=2 cost=110.72 low=110.72 high=111.61 samples=3
  tried static threads=2 cost=165.74 low=165.74 high=166.58 samples=3 beaten
  tried ich threads=2 cost=115.03 low=115.03 high=4515.1 samples=3 beaten
  tried mixed threads=2 cost=115.87 low=115.87 high=125.07 samples=3 beaten
  tried guided threads=2 cost=110.72 low=110.72 high=111.61 samples=3
  tried guided threads=1 cost=215.29 low=215.29 high=240.35 samples=3
  counts executions=668 iterations=668000 settled_iterations=618000 total_ns=298038005 explored_ns=11444398 explored_again=2
  used 2026-11-22
site 4143398faf0cb4e9a82ddedd58e1a22218784c78 0x147b loop team=2 trip_bits=5 objective=time machine=8b52f0e6c1a9d347
  binary /home/ada/solver
  where solver.c:21
  hardware 1 package, 1 node, 1 cache group, 2 cores, 2 hardware threads
  state left_alone round=0
  default static threads=2 cost=44.438 low=44.438 high=661.56 samples=2
  best static threads=2 cost=44.438 low=44.438 high=661.56 samples=2
  tried static threads=2 cost=44.438 low=44.438 high=661.56 samples=2
  tried ich threads=2 cost=119.56 low=119.56 high=126.38 samples=2
  tried mixed threads=2 cost=100.75 low=100.75 high=955.12 samples=2
  tried guided threads=2 cost=50.75 low=50.75 high=58.812 samples=2
  counts executions=43 iterations=688 settled_iterations=0 total_ns=6225449 explored_ns=15573 explored_again=0
  used 2026-11-22
checksum 9362103f36f4edd1
