#!/usr/bin/env bats
# The short form of `make crash`: the server is killed amid everything that it does, and what it kept is compared
# with what it said.
# Left out: calls that fail, which take minutes; what each of these does when nobody kills it, which the other files
# know.

# bats file_tags=alone

load ../server

@test "15 kills lose nothing that was acknowledged, and bring nothing back" {
    timeout 120 "${REPOSITORY}/Tests/crash/crash.py" --kills 15 --failures 0 \
        --folder "${BATS_TEST_TMPDIR}/crash"
}
