// A QR code as a square of modules; `QRCode+SVG` and `QRCode+Terminal` draw it.
//
// Invariant: `side * side` modules, 21 to 177 on a side. The code is the smallest possible, with
// minimal error correction: a screen doesn't get scratched.

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
        /// Out of memory.
        case noMemory

        /// A sentence that says what to do.
        package var description: String {
            switch self {
            case .empty: "Empty text has no QR code."
            case .tooLong(let bytes):
                "A QR code holds \(QRCode.largestText.grouped) bytes at most, and the link has "
                    + "\(bytes.grouped): shorten its values."
            case .noMemory: "Out of memory for a QR code."
            }
        }
    }

    /// Maximum bytes of a text.
    static let largestText = cqrcode_largest_text

    /// Width of the empty margin on each side, in modules (ISO/IEC 18004 §6.3.8).
    static let quietZone = 4

    /// Width and height in modules, without the quiet zone.
    let side: Int

    private let modules: [UInt8]

    /// Makes the QR code of the text's UTF-8.
    ///
    /// Takes up to a few milliseconds.
    package init(_ text: String) throws(Failure) {
        let text = Array(text.utf8)
        if text.isEmpty { throw .empty }
        if text.count > Self.largestText { throw .tooLong(bytes: text.count) }
        let largest = cqrcode_largest_width
        var modules = [UInt8](repeating: 0, count: largest * largest)
        // SAFETY: both arrays stay in place during the call, which keeps no pointer. It reads
        // `text.count` bytes and writes at most `modules.count`.
        let width = unsafe cqrcode_encode(text, text.count, &modules, modules.count)
        guard width > 0, Int(width) <= largest else { throw .noMemory }
        side = Int(width)
        self.modules = Array(modules.prefix(side * side))
    }

    /// Whether the module at a column and row, counted from the top left, is dark; false outside.
    func isDark(_ column: Int, _ row: Int) -> Bool {
        guard 0..<side ~= column, 0..<side ~= row else { return false }
        return modules[row * side + column] == 1
    }
}
