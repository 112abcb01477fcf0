// Sizes of what agents send and get, with their unit.

/// Limits of messages and tools.
package enum Limits {
    /// Maximum bytes of the API's response in the result of a tool: more would fill a model's
    /// context.
    package static let answerBytes = 256 * 1024

    /// Maximum nesting of arrays and objects in a message, in levels.
    package static let messageDepth = 64

    /// Maximum bytes of a message's id, without quotation marks and escapes; its response repeats
    /// it.
    package static let idBytes = 256
}
