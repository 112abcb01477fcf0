// The names of all metrics, with what each of them says. Documentation/Operations.md lists them; a
// test checks that.

import Telemetry

/// The server's metrics.
enum MetricName {
    static let requests = "landfall_http_requests_total"
    static let durations = "landfall_http_request_duration_seconds"
    static let refusals = "landfall_http_refusals_total"
    static let connections = "landfall_http_connections"
    static let accepted = "landfall_http_connections_accepted_total"
    static let rejected = "landfall_http_connections_rejected_total"
    static let acceptFailures = "landfall_http_accept_failures_total"
    static let handshakeFailures = "landfall_tls_handshake_failures_total"
    static let missingProxyHeaders = "landfall_proxy_headers_missing_total"
    static let certificateExpiry = "landfall_certificate_expiry_timestamp_seconds"
    static let linkFileFetches = "landfall_link_file_fetches_total"
    static let lastFetch = "landfall_link_file_last_fetch_timestamp_seconds"
    static let storedRecords = "landfall_store_records_stored_total"
    static let storedBytes = "landfall_store_written_bytes_total"
    static let batches = "landfall_store_batch_records"
    static let commits = "landfall_store_commit_duration_seconds"
    static let failures = "landfall_store_failures_total"
    static let records = "landfall_store_records"
    static let segmentBytes = "landfall_store_segment_bytes"
    static let reserveMissing = "landfall_store_disk_full"
    static let databaseFailing = "landfall_store_database_down"
    static let spooled = "landfall_store_spooled_records"
    static let indexLag = "landfall_index_lag_records"
    static let indexRebuilding = "landfall_index_rebuilding"
    static let waiters = "landfall_waiters"
    static let streams = "landfall_streams"
    static let forwardPending = "landfall_forward_pending"
    static let forwardDead = "landfall_forward_dead"
    static let forwardAge = "landfall_forward_oldest_pending_seconds"
    static let forwardAttempts = "landfall_forward_attempts_total"
    static let forwardDropped = "landfall_forward_dropped_total"
    static let build = "landfall_build_info"
    static let memory = "process_resident_memory_bytes"
    static let descriptors = "process_open_fds"
    static let maximumDescriptors = "process_max_fds"
    static let startTime = "process_start_time_seconds"

    /// All metrics, in the order in which they are shown.
    static let families = http + store + forwarding + process

    private static let http: [MetricFamily] = [
        MetricFamily(
            requests, .counter,
            "Requests by the pattern of their route, vendor, method and status."),
        MetricFamily(
            durations, .durations(upTo: durationBounds),
            "From a request's head to its response, which may still have to be sent."),
        MetricFamily(
            refusals, .counter, "Messages that are invalid HTTP, too large or too slow."),
        MetricFamily(connections, .gauge, "Open connections."),
        MetricFamily(accepted, .counter, "Connections that were accepted."),
        MetricFamily(
            rejected, .counter,
            "Connections that were turned away: too many, in total or from one address."),
        MetricFamily(
            acceptFailures, .counter,
            "Connections that could not be accepted, for example without free descriptors."),
        MetricFamily(handshakeFailures, .counter, "TLS handshakes that failed."),
        MetricFamily(
            missingProxyHeaders, .counter, "Connections without the required PROXY header."),
        MetricFamily(certificateExpiry, .gauge, "When a certificate expires, by its file name."),
        MetricFamily(
            linkFileFetches, .counter,
            "Fetches of link files by Apple's or Google's systems, by site, file and fetcher."),
        MetricFamily(
            lastFetch, .gauge,
            "When Apple's or Google's systems last got a link file, or found it unchanged."),
    ]

    private static let forwarding: [MetricFamily] = [
        MetricFamily(
            forwardPending, .gauge, "Callbacks that a target has yet to get, by rule and target."),
        MetricFamily(forwardDead, .gauge, "Callbacks that were given up, by rule and target."),
        MetricFamily(
            forwardAge, .gauge, "How long the oldest pending callback has waited for its target."),
        MetricFamily(
            forwardAttempts, .counter,
            "Attempts to forward a callback, by rule, target and outcome."),
        MetricFamily(
            forwardDropped, .counter,
            "Undelivered callbacks that were erased or can't be read, by rule and target."),
    ]

    private static let store: [MetricFamily] = [
        MetricFamily(
            storedRecords, .counter, "Records that became durable, by kind, vendor and verdict."),
        MetricFamily(storedBytes, .counter, "Bytes of lines that became durable."),
        MetricFamily(batches, .histogram(upTo: batchBounds), "Lines of each group commit."),
        MetricFamily(
            commits, .durations(upTo: durationBounds), "Writing and syncing of a group commit."),
        MetricFamily(failures, .counter, "Records that could not be stored, by reason."),
        MetricFamily(
            records, .gauge, "Stored records by kind; absent while the index is being rebuilt."),
        MetricFamily(
            segmentBytes, .gauge,
            "Bytes of the files in the folder results, or of the database's tables."),
        MetricFamily(
            reserveMissing, .gauge,
            "1 while new records are refused because the disk is full, else 0."),
        MetricFamily(databaseFailing, .gauge, "1 while the database can't be used, else 0."),
        MetricFamily(
            spooled, .gauge,
            "Durable records that wait for the database, as far as this process knows."),
        MetricFamily(indexLag, .gauge, "Durable records that the index lacks."),
        MetricFamily(indexRebuilding, .gauge, "1 while the index is being rebuilt, else 0."),
        MetricFamily(waiters, .gauge, "Clients that wait for results."),
        MetricFamily(streams, .gauge, "Clients that follow the stream of results."),
    ]

    private static let process: [MetricFamily] = [
        MetricFamily(build, .gauge, "1, with the program's version."),
        MetricFamily(memory, .gauge, "Memory of the process in the machine's RAM."),
        MetricFamily(descriptors, .gauge, "Open descriptors."),
        MetricFamily(maximumDescriptors, .gauge, "Maximum number of open descriptors."),
        MetricFamily(startTime, .gauge, "When the server started."),
    ]

    /// From 50 µs to a minute, in nanoseconds: link files take microseconds, waiting clients up to
    /// minutes.
    private static let durationBounds: [Int64] = [
        50_000, 250_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 100_000_000,
        500_000_000, 2_500_000_000, 10_000_000_000, 60_000_000_000,
    ]

    private static let batchBounds: [Int64] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
}
