#!/usr/bin/env bash
# Runs lanes side by side, each of which is a list of targets of the Makefile, one after the other:
# `Tests/lanes.sh "test-unit" "test-curl test-page"`. Every line of output begins with its target.
# Fails if a target did; its lane ends with it, the others go on. Prints at the end how those that failed
# ended, which is far above by then, and how long each target took.
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
                "/^\[[0-9]*([1-9]|[1-46-9]0)\/[0-9]+\] /d; s/^/${target#test-}: /" |
            tee "${folder}/${target}"; then
            echo "passed ${target}: $((SECONDS - start)) s" >>"${folder}/results"
        else
            echo "FAILED ${target}: $((SECONDS - start)) s" >>"${folder}/results"
            tail --lines 15 "${folder}/${target}" >>"${folder}/failures"
            return 1
        fi
    done
}

folder="$(mktemp --directory)"
trap 'rm -rf "${folder}"' EXIT
lanes=()
for list; do
    # shellcheck disable=SC2086 # a list of targets
    lane ${list} &
    lanes+=($!)
done
status=0
for process in "${lanes[@]}"; do wait "${process}" || status=1; done

if ((status != 0)); then
    printf '\nHow what failed ended:\n'
    cat "${folder}/failures"
fi
echo
sort --reverse "${folder}/results"
exit "${status}"
