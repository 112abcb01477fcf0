-- wrk's side: an optional form body, and figures that a program can read.
--
-- The request is built once for a thread and never changes, so that wrk itself costs little.
-- `done` prints one line: requests, seconds, failures, latencies in milliseconds, bytes.

function init(arguments)
    if #arguments > 0 then
        local file = assert(io.open(arguments[1], "rb"))
        wrk.method = "POST"
        wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
        wrk.body = file:read("*a")
        file:close()
    end
end

function done(summary, latency, requests)
    local errors = summary.errors
    io.write(string.format(
        "figures %d %.6f %d %d %.3f %.3f %.0f\n",
        summary.requests, summary.duration / 1e6, errors.status,
        errors.connect + errors.read + errors.write + errors.timeout,
        latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
        summary.bytes))
end
