// What libFuzzer calls, input after input: one parser's check, which the variable
// LANDFALL_FUZZ_TARGET names. `main` is libFuzzer's own, and so are all arguments.
//
// Left out: how inputs are made and kept, which is libFuzzer's part too.

import Glibc

/// The entry of libFuzzer: reads one input, and has nothing to say about it.
@c(LLVMFuzzerTestOneInput)
public func check(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    // SAFETY: libFuzzer gives `size` bytes that stay for the call.
    FuzzTarget.chosen.check(unsafe Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}

extension FuzzTarget {
    private static let variable = "LANDFALL_FUZZ_TARGET"

    /// The one that the environment names; without one the process ends.
    fileprivate static let chosen: FuzzTarget = {
        // SAFETY: nothing changes the environment while this reads it.
        let name = unsafe getenv(variable).map { unsafe String(cString: $0) } ?? ""
        if let target = FuzzTarget(rawValue: name) { return target }
        let names = allCases.map(\.rawValue).joined(separator: " ")
        print("\(variable) is to be one of: \(names)")
        exit(2)
    }()
}
