#!/usr/bin/env bash
# Runs the unit tests; the arguments are those of `swift test`. Prints one line for each suite and, at
# the end, the tests that failed, or the ten slowest if all passed. The file that LOG names keeps the
# whole output.
set -uo pipefail
log="${LOG:-.build/unit-tests.log}"
mkdir -p "$(dirname "$log")"

# Names of test cases have lines of their own. Not awk: Debian's waits until it has 4 kB.
swift test "$@" 2>&1 | tee "$log" | sed --unbuffered --regexp-extended \
    '/^◇ Test run started/,$ { /^(✔ (Suite|Test run)|✘|↳) |^error: |^SUMMARY: |Fatal error: /!d }'
status=${PIPESTATUS[0]}

if ((status == 0)); then
    echo
    echo "The slowest tests, in seconds:"
    sed -nE 's/^✔ Test (.*) passed after ([0-9.]+) seconds\.$/\2 \1/p' "$log" |
        grep -v ' run with ' | sort --numeric-sort --reverse | head -10
else
    echo
    echo "What failed (all of the output: $log):"
    # The comment under an issue says what was expected.
    grep --after-context=2 --extended-regexp 'SUMMARY: |^✘|^↳|: error: |Fatal error|signal code' "$log" |
        grep --invert-match --extended-regexp '^(◇|✔|--)' | tail -100
fi
exit "$status"
