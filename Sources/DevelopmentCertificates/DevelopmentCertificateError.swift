// The reasons why development certificates can't be made, each with advice.

import Files

/// Why there are no certificates.
package enum DevelopmentCertificateError: Error, Equatable {
    /// An invalid domain name.
    case badDomain(String, reason: String)
    /// A number of days outside `DevelopmentCertificates.allowedDays`.
    case badDays
    /// The authority in the folder can't be used.
    case badAuthority(path: String, reason: String)
    /// An existing file or folder can't be read.
    case unreadable(FileError)
    /// A file or folder can't be written.
    case unwritable(path: String)
    /// The certificate library refused.
    case unsignable(reason: String)
}

extension DevelopmentCertificateError: CustomStringConvertible {
    /// One sentence.
    package var description: String {
        switch self {
        case .badDomain(let name, let reason):
            "No certificate can be made for \"\(name)\": \(reason)."
        case .badDays:
            "--days is \(DevelopmentCertificates.allowedDays.lowerBound) to "
                + "\(DevelopmentCertificates.allowedDays.upperBound): the authority that signs the "
                + "certificates lasts a year."
        case .badAuthority(let path, let reason):
            "\(path) can't sign certificates: \(reason); --force makes a new authority, to be "
                + "installed again everywhere."
        case .unreadable(let error): "\(error)"
        case .unwritable(let path):
            "\(path) can't be made: check who owns its folder, and that the disk has room."
        case .unsignable(let reason): "A certificate can't be made: \(reason)."
        }
    }
}
