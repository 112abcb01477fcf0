// Selects the decoder for Rezolve's two contracts: a followed trigger, and the answers to an act
// (vendor document 4.4 and 4.5). Answers are posted, triggers are links.

import JSON

/// The decoder of the `rezolve-trigger` and `rezolve-act` contracts.
enum RezolveDecoder {
    /// Decodes a message; of repeated parameters the first is used.
    static func decode(_ message: inout Message) -> Decoding {
        let target = message.bytes(of: .target)
        let path = RezolvePath(of: target[...])
        if path.actID(in: target) != nil || message.body?.document.root["answers"] != nil {
            return RezolveActDecoder.decode(&message, path)
        }
        message.adoptBodyMembers()
        message.resolveDuplicates(keeping: .first)
        return RezolveTriggerDecoder.decode(&message, path)
    }
}
