// A transfer as libcurl has it: request, field lines, and the callbacks for it.

import CCurl
import Sockets

/// libcurl's handle of one transfer.
///
/// Used on the client's thread only, and not after `free`.
@safe
struct TransferHandle {
    private let pointer: OpaquePointer

    /// Makes a transfer's handle and starts it; nil if libcurl fails.
    ///
    /// The transfer must exist until `free`, because callbacks use it.
    init?(_ transfer: Transfer, on client: ClientHandle) {
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        guard let made = unsafe Self.make(transfer.request, transfer.place, context) else {
            return nil
        }
        unsafe pointer = made
        var failed: Int32 = 0
        for line in transfer.request.lines(for: transfer.place) {
            failed |= unsafe ccurl_transfer_add_field(pointer, line)
        }
        if failed == 0 { failed = unsafe ccurl_transfer_start(pointer, client.pointer) }
        if failed != 0 {
            free()
            return nil
        }
    }

    /// Continues after a pause, in both directions.
    func resume() {
        unsafe ccurl_transfer_resume(pointer)
    }

    /// Ends the transfer, closes its connection and frees its memory.
    func free() {
        // SAFETY: callers drop the handle with this call.
        unsafe ccurl_transfer_free(pointer)
    }

    /// libcurl's message about a failure.
    var reason: String {
        unsafe String(cString: ccurl_transfer_reason(pointer))
    }

    // MARK: Making one

    // SAFETY: strings and arrays live for the call, and libcurl copies what it keeps.
    private static func make(
        _ request: ClientRequest, _ place: RequestPlace, _ context: UnsafeMutableRawPointer
    ) -> OpaquePointer? {
        let (body, isStreamed): ([UInt8]?, Bool) =
            switch request.body {
            case .none: (nil, false)
            case .bytes(let bytes): (bytes, false)
            case .parts: (nil, true)
            }
        return unsafe request.method.rawValue.withCString { method in
            unsafe place.origin.withCString { origin in
                unsafe place.target.withCString { target in
                    unsafe withBytes(body) { body, count in
                        unsafe withBytes(request.authorities) { authorities, size in
                            var asked = unsafe ccurl_request(
                                method: method, origin: origin, target: target, body: body,
                                body_count: count, has_body_callback: isStreamed ? 1 : 0,
                                authorities: authorities, authorities_count: size,
                                skips_verification: request.verifiesServer ? 0 : 1,
                                sends_proxy_header: request.sendsProxyHeader ? 1 : 0,
                                connect_ms: Int64(clamping: request.connectMilliseconds),
                                total_ms: Int64(clamping: request.totalMilliseconds ?? 0))
                            var table = callbacks
                            return unsafe ccurl_transfer_new(&asked, &table, context)
                        }
                    }
                }
            }
        }
    }

    private static func withBytes<Value>(
        _ bytes: [UInt8]?, _ use: (UnsafePointer<UInt8>?, Int) -> Value
    ) -> Value {
        guard let bytes else { return use(nil, 0) }
        return unsafe bytes.withUnsafeBufferPointer { unsafe use($0.baseAddress, $0.count) }
    }

    // SAFETY: libcurl calls these with the context of a transfer that has not been freed, and with
    // memory that is valid for the call.
    private static var callbacks: ccurl_callbacks {
        unsafe ccurl_callbacks(
            connected: { context in unsafe transfer(context)?.noteConnection() },
            may_connect: { context, octets, count in
                guard let transfer = unsafe transfer(context) else { return 0 }
                let bytes = unsafe Array(UnsafeBufferPointer(start: octets, count: Int(count)))
                return transfer.mayConnect(to: IPAddress(octets: bytes)) ? 1 : 0
            },
            line: { context, octets, count in
                guard let transfer = unsafe transfer(context) else { return Int32(ccurl_stop) }
                let bytes = unsafe Array(UnsafeBufferPointer(start: octets, count: count))
                return transfer.takeLine(bytes).code
            },
            content: { context, octets, count in
                guard let transfer = unsafe transfer(context) else { return Int32(ccurl_stop) }
                let bytes = unsafe UnsafeBufferPointer(start: octets, count: count)
                return transfer.takeContent(unsafe Array(bytes)).code
            },
            body: { context, octets, capacity in
                guard let transfer = unsafe transfer(context) else { return Int(ccurl_stop) }
                guard let bytes = transfer.nextBody(upTo: capacity) else {
                    return Int(ccurl_pause)
                }
                _ = unsafe UnsafeMutableBufferPointer(start: octets, count: capacity)
                    .update(fromContentsOf: bytes)
                return bytes.count
            })
    }
}

/// The transfer that a callback is for.
private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
}

extension Transfer.Verdict {
    fileprivate var code: Int32 {
        switch self {
        case .proceed: 0
        case .pause: Int32(ccurl_pause)
        case .stop: Int32(ccurl_stop)
        }
    }
}

extension IPAddress {
    /// Four octets of IPv4, or 16 of IPv6, in network order.
    fileprivate init(octets: [UInt8]) {
        let numbers = octets.map(UInt64.init)
        if numbers.count == 4 {
            self.init(v4: UInt32(truncatingIfNeeded: numbers.reduce(0) { $0 << 8 | $1 }))
        } else {
            self.init(
                high: numbers.prefix(8).reduce(0) { $0 << 8 | $1 },
                low: numbers.dropFirst(8).reduce(0) { $0 << 8 | $1 })
        }
    }
}
