cargo check -p taut-conformance -p taut-workloads -p taut-capture -p taut-replay --tests 2>&1 | grep -v "^ *Checking" | tail -80
