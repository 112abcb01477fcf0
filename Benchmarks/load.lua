-- wrk's side: an optional form body or a mixture of bodies, and figures that a program can read.
--
-- Arguments: `form FILE`, or `mixture FILE` with path, type and body on each line, tabs between, or
-- neither; and `limit COUNT`, to end after so many responses. Requests are built once for a thread and
-- never change, so that wrk itself costs little.
-- `done` prints one line: requests, seconds, failures, latencies in milliseconds, bytes.

function init(arguments)
    local given = {}
    for index = 1, #arguments, 2 do
        given[arguments[index]] = arguments[index + 1]
    end
    wrk.method = (given.form or given.mixture) and "POST" or "GET"
    if given.form then
        local file = assert(io.open(given.form, "rb"))
        wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
        wrk.body = file:read("*a")
        file:close()
    elseif given.mixture then
        local requests, index = {}, 0
        for line in io.lines(given.mixture) do
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
    if given.limit then
        local left = tonumber(given.limit)
        response = function()
            left = left - 1
            if left == 0 then
                wrk.thread:stop()
            end
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
