// Reads what is still readable in a line that may be damaged elsewhere: the id and the number,
// which are at fixed positions, and the inbox.

extension RecordLine {
    private static let idOffset = checkedOffset + 6
    private static let sequenceOffset = idOffset + RecordID.textBytes + 8

    /// The id of a record, at its fixed position; nil if it can't be read.
    static func legibleID(_ line: ArraySlice<UInt8>) -> RecordID? {
        let text = line.dropFirst(idOffset).prefix(RecordID.textBytes)
        return RecordID(String(decoding: text, as: UTF8.self))
    }

    /// The number of a record or an erasure, at its fixed position; nil if it can't be read.
    static func legibleSequence(_ line: ArraySlice<UInt8>) -> Int? {
        let name = Array(#""seq":"#.utf8)
        var digits = line.dropFirst(sequenceOffset)
        if !line.dropFirst(sequenceOffset - name.count).starts(with: name) {
            guard line.dropFirst(checkedOffset).starts(with: name) else { return nil }
            digits = line.dropFirst(checkedOffset + name.count)
        }
        guard let end = digits.firstIndex(of: UInt8(ascii: ",")), end - digits.startIndex < 20
        else { return nil }
        return Int(String(decoding: digits[..<end], as: UTF8.self))
    }
}
