// A QR code as the squares that it is made of. The drawing is by `QRCode+SVG` and `QRCode+Terminal`.
//
// Invariant: `side * side` modules, 21 to 177 a side. The smallest code is made, without more error
// correction than it must have: it is read from a screen, where nothing is scratched off.

import CQRCode
import Text

/// A QR code (ISO/IEC 18004) of a text.
package struct QRCode: Sendable {
    /// Why a text has no QR code.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// The text is empty.
        case empty
        /// The text has more bytes than the largest code holds.
        case tooLong(bytes: Int)
        /// There was no memory for it.
        case noMemory

        /// A sentence that says what to do.
        package var description: String {
            switch self {
            case .empty: "An empty text has no QR code."
            case .tooLong(let bytes):
                "A QR code holds \(QRCode.largestText.grouped) bytes at most, and the link has "
                    + "\(bytes.grouped): shorten its values."
            case .noMemory: "There is no memory for a QR code."
            }
        }
    }

    /// The bytes that a QR code holds at most.
    static let largestText = cqrcode_largest_text

    /// How many modules of nothing must surround it on each side (ISO/IEC 18004 §6.3.8).
    static let quietZone = 4

    /// How many modules it is wide and high, without the quiet zone.
    let side: Int

    private let modules: [UInt8]

    /// Makes the QR code of the text's UTF-8.
    ///
    /// Takes up to some milliseconds.
    package init(_ text: String) throws(Failure) {
        let text = Array(text.utf8)
        if text.isEmpty { throw .empty }
        if text.count > Self.largestText { throw .tooLong(bytes: text.count) }
        let largest = cqrcode_largest_width
        var modules = [UInt8](repeating: 0, count: largest * largest)
        // SAFETY: both arrays' elements stand still for the call, which keeps no address. It reads
        // `text.count` and writes `modules.count` bytes at the most.
        let width = unsafe cqrcode_encode(text, text.count, &modules, modules.count)
        guard width > 0, Int(width) <= largest else { throw .noMemory }
        side = Int(width)
        self.modules = Array(modules.prefix(side * side))
    }

    /// Whether the module in a column and a row is dark, from the left and the top; false outside.
    func isDark(_ column: Int, _ row: Int) -> Bool {
        guard 0..<side ~= column, 0..<side ~= row else { return false }
        return modules[row * side + column] == 1
    }
}
