// `landfall launch`: creates and checks links that open the vendors' apps.

import ArgumentParser

struct LaunchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "launch",
        abstract: "Make the link that opens a vendor's app, or check one.",
        discussion: discussion,
        subcommands: [Link.self, Check.self], defaultSubcommand: Link.self)

    /// The text of `launch --help`, the usual entry, and of `launch link --help`.
    static let discussion = """
        Keys, those in brackets optional; rezolve takes one of three sets:
          dimmy, flux   flowName [callback] [code]
          dimmy-2024    flow callback [code]
          welltory      source callback [any other: Android sends them back]
          ailet         method login password [store_id] [visit_id] [user_id]
                        [task_id] [back_url_scheme]: what is needed depends on the
                        method, which is visit, report, summaryReport, sync,
                        showVisitReport or syncCatalogs
          rezolve       partner merchant category [product] [ad] [placement],
                        or path, or engagementid region
          x-callback-url
                        scheme action [x-source] [x-success] [x-error] [x-cancel]
                        [any other: a parameter of the action]

        EXAMPLES
          landfall launch flux flowName=Inbound callback=https://a.example/flux --qr
          landfall launch welltory source=YourApp --callback yourapp://dds --flow
          landfall launch flux flowName=In --flow --server http://127.0.0.1:8080
          landfall launch rezolve partner=2 merchant=12 category=70 --qr -o 1.svg
          landfall launch check 'https://flux.api.optioryx.com/open?flow=Inbound'

        Exit code 0 when the link is made, 2 when the values are invalid, 3 when a server or a file \
        fails.
        """
}
