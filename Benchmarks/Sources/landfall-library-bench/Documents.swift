// The documents that are read: made up, and the same in every run.

/// Made-up JSON texts, each of about a kind that servers and apps read.
enum Documents {
    /// A link file: so many apps with 25 rules each, old and new forms, as people lay it out.
    static func links(apps: Int = 40) -> [UInt8] {
        var numbers = Numbers()
        let entries = (0..<apps).map { app in
            app.isMultiple(of: 4) ? oldEntry(app, &numbers) : entry(app, &numbers)
        }
        return Array(
            """
            {
              "applinks": {
                "apps": [],
                "details": [
            \(entries.joined(separator: ",\n"))
                ]
              },
              "webcredentials": { "apps": ["A1B2C3D4E5.com.example.app0"] }
            }

            """.utf8)
    }

    private static func oldEntry(_ app: Int, _ numbers: inout Numbers) -> String {
        let paths = (0..<25).map { rule in
            let negation = rule.isMultiple(of: 5) ? "NOT " : ""
            return "          \"\(negation)/\(word(&numbers))/\(word(&numbers))/*\""
        }
        return """
                  {
                    "appID": "A1B2C3D4E5.com.example.app\(app)",
                    "paths": [
            \(paths.joined(separator: ",\n"))
                    ]
                  }
            """
    }

    private static func entry(_ app: Int, _ numbers: inout Numbers) -> String {
        let components = (0..<25).map { rule in
            var members = ["\"/\": \"/\(word(&numbers))/*/\(word(&numbers))/??\(rule)\""]
            if rule.isMultiple(of: 3) {
                members.append("\"?\": { \"\(word(&numbers))\": \"?*\", \"lang\": \"$(lang)\" }")
            }
            if rule.isMultiple(of: 4) { members.append("\"#\": \"\(word(&numbers))*\"") }
            if rule.isMultiple(of: 5) { members.append("\"exclude\": true") }
            if rule.isMultiple(of: 7) { members.append("\"caseSensitive\": false") }
            if rule.isMultiple(of: 2) {
                members.append("\"comment\": \"opens the \(word(&numbers)) of rule \(rule) – née\"")
            }
            let lines = members.map { "            " + $0 }.joined(separator: ",\n")
            return "          {\n\(lines)\n          }"
        }
        return """
                  {
                    "appIDs": ["A1B2C3D4E5.com.example.app\(app)", "F6G7H8I9J0.com.example.beta\(app)"],
                    "components": [
            \(components.joined(separator: ",\n"))
                    ]
                  }
            """
    }

    /// 5,000 pretty-printed records of twelve numbers, whole ones and fractions, and few words.
    static func numbers() -> [UInt8] {
        var numbers = Numbers()
        let records = (0..<5000).map { index in
            let samples = (0..<8).map { _ in
                "\(numbers.below(2_000_000) - 1_000_000).\(numbers.below(1_000_000))"
            }
            return """
                  {
                    "id": \(index),
                    "time": \(1_795_000_000_000 + numbers.below(1_000_000_000)),
                    "rate": \(numbers.below(200)),
                    "ratio": 0.\(numbers.below(1_000_000_000))e-\(numbers.below(9)),
                    "valid": \(numbers.below(4) > 0),
                    "samples": [
                      \(samples.joined(separator: ",\n          "))
                    ]
                  }
                """
        }
        return Array("[\n\(records.joined(separator: ",\n"))\n]\n".utf8)
    }

    /// 500 texts of about 2 kB: a word in six isn't ASCII, a word in twelve ends in an escape.
    static func strings() -> [UInt8] {
        var numbers = Numbers()
        let others = ["Crème", "größer", "пример", "例文", "😀", "naïve"]
        let escapes = ["\\n", "\\\"", "\\u00e9", "\\t", "\\ud83d\\ude00", "\\\\"]
        let texts = (0..<500).map { _ in
            let words = (0..<300).map { _ in
                let word = numbers.below(6) == 0 ? numbers.one(of: others) : word(&numbers)
                return numbers.below(12) == 0 ? word + numbers.one(of: escapes) : word
            }
            return "{\"text\":\"\(words.joined(separator: " "))\"}"
        }
        return Array("[\(texts.joined(separator: ","))]".utf8)
    }

    private static func word(_ numbers: inout Numbers) -> String {
        numbers.one(of: [
            "account", "article", "basket", "category", "checkout", "delivery", "event", "gift",
            "help", "invite", "member", "news", "order", "payment", "product", "profile", "recipe",
            "reset", "search", "settings", "store", "ticket", "welcome",
        ])
    }
}
