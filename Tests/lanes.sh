#!/usr/bin/env bash
# Runs lanes side by side, each of which is a list of targets of the Makefile, one after the other:
# `Tests/lanes.sh "test-unit" "test-curl test-page"`. Every line of output begins with its target.
# Prints at the end how long each target took, and fails if one did; its lane ends with it, the others go on.
set -uo pipefail

# lane TARGET...
lane() {
    local target start
    for target in "$@"; do
        start=$SECONDS
        # A shell ignores SIGINT on behalf of what it runs in the background; Ctrl-C has to end it. Of the
        # steps of a build, each fiftieth is enough.
        if env --default-signal=INT make --no-print-directory "${target}" 2>&1 |
            sed --unbuffered --regexp-extended \
                "/^\[[0-9]*([1-9]|[1-46-9]0)\/[0-9]+\] /d; s/^/${target#test-}: /"; then
            echo "passed ${target}: $((SECONDS - start)) s" >>"${results}"
        else
            echo "FAILED ${target}: $((SECONDS - start)) s" >>"${results}"
            return 1
        fi
    done
}

results="$(mktemp)"
trap 'rm -f "${results}"' EXIT
lanes=()
for list; do
    # shellcheck disable=SC2086 # a list of targets
    lane ${list} &
    lanes+=($!)
done
status=0
for process in "${lanes[@]}"; do wait "${process}" || status=1; done

echo
sort --reverse "${results}"
exit "${status}"
