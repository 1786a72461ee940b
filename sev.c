void f(void);
void g(int n){
#pragma omp parallel num_threads(strict: n) message("hello") severity(warning)
f();
#pragma omp parallel num_threads(strict: n)
f();
#pragma omp parallel num_threads(n,2) 
f();
#pragma omp parallel num_threads(strict: n,2)  message("l") severity(fatal)
f();
#pragma omp parallel num_threads(n)  message("l") severity(fatal)
f();
#pragma omp error at(execution) severity(warning) message("w")
#pragma omp error at(execution) severity(fatal) message("w")
#pragma omp error at(execution)
}
