// How many descriptors the process may have open: each connection takes one.

import CLinux

/// The limit of open descriptors (`RLIMIT_NOFILE`).
package enum DescriptorLimit {
    /// Raises the limit to what the process may have at the most, and returns it.
    package static func raise() -> Int { Int(max(0, clinux_raise_descriptor_limit())) }
}
