// The flow id that a callback carries as a parameter: in its query, or, if a back end forwards it,
// in a form or a JSON object.

extension Message {
    /// The first flow id in a parameter named `FlowID.parameter`; nil if absent.
    ///
    /// Read it before a contract settles the parameters. O(parameters), mostly a comparison of the
    /// names' lengths.
    var flow: String? {
        for parameter in parameters where isNamed(parameter, FlowID.parameter) {
            let id = value(of: parameter).unescaped().bytes
            if FlowID.isValid(id) { return String(decoding: id, as: UTF8.self) }
        }
        guard let id = body?.document.root[FlowID.parameter]?.string, FlowID.isValid(id.utf8)
        else { return nil }
        return id
    }
}
