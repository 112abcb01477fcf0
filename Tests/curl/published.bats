#!/usr/bin/env bats
# The addresses of the vendors' own examples, with the shipped configuration.
# Left out: what is in the messages (vendors.bats).

load setup

setup_file() {
    start_landfall "${BATS_FILE_TMPDIR}/server"
}

teardown_file() {
    stop_landfall
}

WELLTORY='stress=0.32&energy=0.75'

@test "a callback to each address that the vendors' documents and demos name is decoded" {
    local flux dimmy host path vendor query
    flux="$(query_of flux-callback.txt)" dimmy="$(query_of dimmy-2024-callback.txt)"
    while read -r host path vendor query; do
        get "${path}?${!query}" --header "Host: ${host}"
        expect_stored decoded '.vendor == $vendor and .request.host == $host and .inbox == "default"' \
            --arg vendor "${vendor}" --arg host "${host}"
    done <<'END'
www.yourapp.com /dds/ welltory WELLTORY
yourapp.com /dds/ welltory WELLTORY
www.yourapp.com /dds welltory WELLTORY
www.yourapp.com /dimmy/ dimmy flux
yourapp.com /dimmy/ dimmy dimmy
wms.example.com /dimmy dimmy dimmy
wms.example.com /flux-result dimmy flux
dimmy.api.optioryx.com /callback dimmy dimmy
END
}

@test "the host of the vendor's demo still answers its launch links" {
    get '/open?flow=default&callback=aHR0cHM6Ly93d3cueW91cmFwcC5jb20vZGltbXkv' \
        --header 'Host: dimmy.api.optioryx.com'
    expect_status 302
    [[ "$(field Location)" == *yourapp.com/dimmy/* ]]
}
