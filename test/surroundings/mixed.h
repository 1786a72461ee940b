// mixed.h: what mixed_part.c gives to mixed.c.
#ifndef MIXED_H
#define MIXED_H

// Whether the caller is the thread with that number, on that level, in the library's view.
int part_is_in(int level, int number);
// The size of a team of the library that asks for this size.
int part_members(int threads);
// A task of the library's, which belongs to the caller's task.
void part_add_by_task(int* runs);
// Adds one while it holds the program's omp_lock_t.
void part_count(void* lock, int* inside);
void part_set_num_threads(int threads);

#endif
