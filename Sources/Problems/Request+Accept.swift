// What a client accepts: pages, JSON or anything.

import HTTP1

extension Request {
    /// Whether `Accept` names `text/html`, as browsers' requests do.
    package var acceptsPages: Bool {
        values(.accept).contains {
            String(decoding: $0, as: UTF8.self).lowercased().contains("text/html")
        }
    }

    /// Whether `Accept` names JSON and not `text/html`.
    package var prefersJSON: Bool {
        !acceptsPages
            && values(.accept).contains {
                String(decoding: $0, as: UTF8.self).lowercased().contains("json")
            }
    }
}

extension FieldName {
    package static let accept = FieldName("accept")
}
