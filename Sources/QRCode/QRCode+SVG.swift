// A QR code as an SVG image, for pages and files.

import Text

extension QRCode {
    /// The image: dark on white with the quiet zone, one unit for each module; scales to any size.
    ///
    /// - Parameter title: the text for people who can't see it.
    package func svg(title: String) -> String {
        let width = side + 2 * Self.quietZone
        var path = ""
        for row in 0..<side {
            var column = 0
            while column < side {
                let start = column
                while isDark(column, row) { column += 1 }
                if column > start {
                    let (x, y) = (start + Self.quietZone, row + Self.quietZone)
                    path += "M\(x) \(y)h\(column - start)v1h-\(column - start)z"
                }
                column += 1
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(width)" \
            shape-rendering="crispEdges" role="img"><title>\(HTML.escaped(title))</title>\
            <path fill="#fff" d="M0 0h\(width)v\(width)H0z"/><path d="\(path)"/></svg>

            """
    }
}
