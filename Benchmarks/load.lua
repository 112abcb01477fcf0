-- wrk's side: an optional form body or a mixture of bodies, and figures that a program can read.
--
-- Arguments: none, or `form FILE`, or `mixture FILE` with path, type and body on each line, tabs
-- between. Requests are built once for a thread and never change, so that wrk itself costs little.
-- `done` prints one line: requests, seconds, failures, latencies in milliseconds, bytes.

function init(arguments)
    wrk.method = #arguments > 0 and "POST" or "GET"
    if arguments[1] == "form" then
        local file = assert(io.open(arguments[2], "rb"))
        wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
        wrk.body = file:read("*a")
        file:close()
    elseif arguments[1] == "mixture" then
        local requests, index = {}, 0
        for line in io.lines(arguments[2]) do
            local path, kind, body = line:match("^(%S+)\t([^\t]+)\t(.*)$")
            wrk.headers["Content-Type"] = kind
            requests[#requests + 1] = wrk.format(nil, path, nil, body)
        end
        -- A function of this name is what makes wrk ask for each request.
        request = function()
            index = index % #requests + 1
            return requests[index]
        end
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
