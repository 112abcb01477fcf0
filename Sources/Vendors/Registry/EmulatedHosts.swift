// The vendors' host names that Landfall answers for in a vendor's place: a hosts file points them
// here, and apps then ask for a certificate of these names. Ailet has none, its links have a scheme
// of their own; Rezolve's API hosts differ for each partner and are named with `--domain`. Their link
// files are those of their own folder or none, never those of the default site.

/// The hosts of the vendors that are emulated.
package enum EmulatedHosts {
    /// Each with what the vendor's own server does there.
    package static let all = [
        // Launch links of 2024, `/open`, and the REST API.
        "dimmy.api.optioryx.com",
        // Launch links of Flux, `/open`, and those of its staff.
        "flux.api.optioryx.com",
        "flux-dev.api.optioryx.com",
        // Launch links after the first, `/action/dds/measurement`.
        "welltory.com",
        // The page of one measurement, `/share-measurement`: nothing is played there.
        "app.welltory.com",
        // The first launch link, which leads through the App Store: nothing is played there.
        "welltory.onelink.me",
        // Triggers, `/{partner}/{merchant}/{category}`.
        "rzlv.co",
    ]
}
