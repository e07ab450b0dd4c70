module exercise

go 1.25.0

require example.org/watchlab v0.0.0

replace example.org/watchlab => ../../scenarios/go
