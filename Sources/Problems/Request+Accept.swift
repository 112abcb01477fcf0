// What a client accepts: pages, JSON or anything.

import HTTP1

extension Request {
    /// Whether `text/html` is asked for by name, as browsers do.
    package var acceptsPages: Bool {
        values(.accept).contains {
            String(decoding: $0, as: UTF8.self).lowercased().contains("text/html")
        }
    }

    /// Whether JSON is asked for by name, and no page.
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
