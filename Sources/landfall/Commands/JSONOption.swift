// `--json`: the output for programs.

import ArgumentParser

/// The option of commands that print a document or a text.
struct JSONOption: ParsableArguments {
    @Flag(help: "Print one JSON document and nothing else.")
    var json = false
}
