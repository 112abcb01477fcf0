// One text with everything in it that JSON has.
// Invariant: it is an object, so that no truncation of it is JSON.

/// A document for tests that cut, change and walk.
enum RichDocument {
    static let text = #"""
        {
          "name": "Crème \"brûlée\"",
          "number": -1.50E+2,
          "esc\u0061ped" : 1,
          "list": [ true ,    "é \n ü", null, {},
        """# + "\t\t" + #"""
            { "deep": [ [] , 7 ] } ],
              "twice": { "k": 1, "k": 2 },
              "a/b~c": false, "": 0,
              "empty": [ ]
            }
            """#
}
