// The vendors' published callbacks, as they were published.
// Invariant: data of others, never edited to make a test pass.

/// Messages that the vendors show in their documents and examples.
enum Published {
    /// Welltory, the integration document.
    static let welltoryURL =
        "https://yourapp.com/dds/?stress=0.32&energy=0.75&productivity=0.63&rmssd=90.3&sd"
        + "nn=45.1&power=100&stress_c=green&productivity_c=red&energy_c=yellow"

    /// Dimmy 2024: standard Base64, not escaped: raw plus, slash and equals signs.
    static let dimmyURL =
        "https://wms.example.com/dimmy?response=eyJjcmVhdGVkX2F0IjoiMjAyNC0wNS0yMVQxNjo0M"
        + "joxMC4xMjMwMDAiLCJ1cGRhdGVkX2F0IjoiMjAyNC0wNS0yMVQxNjo0MjoxMS4wMDQwMDAiLCJvd25lc"
        + "l9pZCI6IjY1OTIwMDgwYWExMWJiMjJjYzMzZGQ0NCIsIl9pZCI6IjY1OTIwMDgwMjljOGMzZTRkYzc2M"
        + "jU2YyIsInNjYW5uZXJfYWNjb3VudF9pZCI6IjY1OTIwMDgwYWExMWJiMjJjYzMzZGQ0NSIsInN0YXJ0Z"
        + "WRfYXQiOiIyMDI0LTA1LTIxVDE2OjQwOjAwWiIsImVuZGVkX2F0IjoiMjAyNC0wNS0yMVQxNjo0MjowM"
        + "FoiLCJmbG93X2lkIjoiNjVmMGMxYWExMWJiMjJjYzMzZGQ0NDU1IiwicGhvdG9ncmFwaGluZyI6W3siZ"
        + "mxvd19zdGVwX2lkIjoic3RlcC0xIiwic3RhcnRlZF9hdCI6IjIwMjQtMDUtMjFUMTY6NDA6MDFaIiwiZ"
        + "W5kZWRfYXQiOiIyMDI0LTA1LTIxVDE2OjQwOjMwWiIsInBob3RvcyI6W3siZGF0ZSI6IjIwMjQtMDUtM"
        + "jFUMTY6NDA6MjBaIiwidXJsIjoiaHR0cHM6Ly9pbWFnZXMuZXhhbXBsZS/Dv8O+P2E9MSZiPX5+Pj4if"
        + "V19XSwiZGltZW5zaW9uaW5nIjpbeyJmbG93X3N0ZXBfaWQiOiJzdGVwLTIiLCJzdGFydGVkX2F0IjoiM"
        + "jAyNC0wNS0yMVQxNjo0MDozMVoiLCJlbmRlZF9hdCI6IjIwMjQtMDUtMjFUMTY6NDE6MzBaIiwiZGltZ"
        + "W5zaW9ucyI6eyJ3aWR0aCI6MC40MiwiaGVpZ2h0IjowLjMsImRlcHRoIjowLjJ9fV0sInJlbWFyayI6I"
        + "sO/Pj4/Pj4+fn7Dv8O+In0="

    /// The item in `dimmyURL`.
    static let dimmyItem = #"""
        {
         "created_at": "2024-05-21T16:42:10.123000",
         "updated_at": "2024-05-21T16:42:11.004000",
         "owner_id": "65920080aa11bb22cc33dd44",
         "_id": "6592008029c8c3e4dc76256c",
         "scanner_account_id": "65920080aa11bb22cc33dd45",
         "started_at": "2024-05-21T16:40:00Z",
         "ended_at": "2024-05-21T16:42:00Z",
         "flow_id": "65f0c1aa11bb22cc33dd4455",
         "photographing": [
          {
           "flow_step_id": "step-1",
           "started_at": "2024-05-21T16:40:01Z",
           "ended_at": "2024-05-21T16:40:30Z",
           "photos": [
            {
             "date": "2024-05-21T16:40:20Z",
             "url": "https://images.example/ÿþ?a=1&b=~~>>"
            }
           ]
          }
         ],
         "dimensioning": [
          {
           "flow_step_id": "step-2",
           "started_at": "2024-05-21T16:40:31Z",
           "ended_at": "2024-05-21T16:41:30Z",
           "dimensions": {
            "width": 0.42,
            "height": 0.3,
            "depth": 0.2
           }
          }
         ],
         "remark": "ÿ>>?>>>~~ÿþ"
        }
        """#

    /// Flux: base64url without padding, and a parameter of the partner.
    static let fluxURL =
        "https://wms.example.com/flux-result?order=4711&status=completed&response=eyJzdGF"
        + "ydGVkQXQiOiIyMDI2LTAyLTAzVDA5OjAwOjAwWiIsImVuZGVkQXQiOiIyMDI2LTAyLTAzVDA5OjAyOjA"
        + "wWiIsImRpbWVuc2lvbmluZyI6W3siZmxvd1N0ZXBJZCI6InN0ZXAtMiIsImRpbWVuc2lvbnMiOnsid2l"
        + "kdGgiOjEuNSwiaGVpZ2h0IjoyLCJkZXB0aCI6MywidW5pdCI6Im0ifX1dLCJwaG90b2dyYXBoaW5nIjp"
        + "beyJmbG93U3RlcElkIjoic3RlcC0xIn1dLCJiYXJjb2RlU2Nhbm5pbmciOltdLCJ3ZWlnaGluZyI6W10"
        + "sImN1c3RvbUlucHV0cyI6W10sIm5vdGUiOiLDv8O-w78-Pj5-fn4ifQ"

    /// The item in `fluxURL`.
    static let fluxItem = #"""
        {
         "startedAt": "2026-02-03T09:00:00Z",
         "endedAt": "2026-02-03T09:02:00Z",
         "dimensioning": [
          {
           "flowStepId": "step-2",
           "dimensions": {
            "width": 1.5,
            "height": 2,
            "depth": 3,
            "unit": "m"
           }
          }
         ],
         "photographing": [
          {
           "flowStepId": "step-1"
          }
         ],
         "barcodeScanning": [],
         "weighing": [],
         "customInputs": [],
         "note": "ÿþÿ>>>~~~"
        }
        """#

    /// Flux, the unit tests: base64url of two bytes that are not JSON.
    static let fluxNotJSONURL =
        "myapp://r?status=completed&response=-_8"
}
