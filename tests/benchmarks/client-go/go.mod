module watchlab/benchmarks/client-go

go 1.25.0
