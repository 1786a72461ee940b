// procs.hpp: how many CPUs the calling thread may use at present.
#pragma once

namespace vicino::team {

// By the mask that the thread has now: the program may have changed it since Vicino looked first. What Vicino
// has made of the mask does not count. Of a rank's share, of the CPUs that KMP_HW_SUBSET leaves and of a recorded
// machine it is all, unless the program has taken some of them away. One system call where the program has not.
int usable_cpus();

}  // namespace vicino::team
