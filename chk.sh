cargo test -p taut-runtime 2>&1 | grep -v "^test .*ok$" | tail -120
