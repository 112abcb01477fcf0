#!/usr/bin/env bash
# Runs the bats tests of a folder: files side by side, one a processor, then those with the tag `alone`
# one by one: they measure time or memory, or fill the machine. Prints the ten slowest tests.
set -uo pipefail
folder="$1"
log="${LOG:-.build/$(basename "$folder")-tests.log}"
mkdir -p "$(dirname "$log")"

run() {
    bats --timing --tap "$@" "$folder" | tee --append "$log" | grep --invert-match '^ok '
    return "${PIPESTATUS[0]}"
}

: >"$log"
status=0
run --jobs "$(nproc)" --no-parallelize-within-files --filter-tags '!alone' || status=1
run --filter-tags alone || status=1

if ((status == 0)); then
    echo "The slowest tests, in milliseconds:"
    sed -nE 's/^ok [0-9]+ (.*) in ([0-9]+)ms.*$/\2 \1/p' "$log" | sort --numeric-sort --reverse | head -10
else
    echo "What failed (all of the output: $log):"
    # Below each, the lines that say where and why; what it printed comes after them.
    awk '/^not ok / { left = 6 } /^ok / { left = 0 } left-- > 0' "$log"
fi
exit "$status"
