// What is reported to a service manager, over a real socket, and when nothing is.

import Foundation
import Testing

@testable import Sockets

@Suite struct ServiceNotifierTests {
    @Test func withoutAServiceManagerNothingIsReported() {
        let manager = ServiceNotifier([:], process: 1)
        #expect(!manager.report(.ready))
        #expect(manager.interval == nil)
        #expect(!ServiceNotifier(["NOTIFY_SOCKET": "relative"], process: 1).report(.ready))
        #expect(!ServiceNotifier(["NOTIFY_SOCKET": "/nowhere/socket"], process: 1).report(.ready))
    }

    @Test(arguments: [
        (["WATCHDOG_USEC": "30000000"], Duration.seconds(15) as Duration?),
        (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"], .seconds(15)),
        (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"], nil),
        (["WATCHDOG_USEC": "0"], nil), (["WATCHDOG_USEC": "-2"], nil),
        (["WATCHDOG_USEC": "soon"], nil), ([:], nil),
    ])
    func signsOfLifeComeTwiceAsOftenAsTheyMust(
        variables: [String: String], interval: Duration?
    ) {
        let environment = variables.merging(["NOTIFY_SOCKET": "/run/notify"]) { $1 }
        #expect(ServiceNotifier(environment, process: 7).interval == interval)
    }

    @Test(arguments: [false, true])
    func aStateArrivesAsOneDatagram(isAbstract: Bool) throws {
        let name = "landfall-\(UUID().uuidString)"
        let folder = FileManager.default.temporaryDirectory.path
        let path = isAbstract ? "@\(name)" : folder + "/" + name
        let listening = Process()
        let (output, input) = (Pipe(), Pipe())
        listening.executableURL = URL(filePath: "/usr/bin/env")
        listening.arguments = [
            "python3", "-c",
            """
            import socket, sys
            path = sys.argv[1]
            s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            s.bind("\\0" + path[1:] if path[0] == "@" else path)
            s.settimeout(60)
            print("bound", flush=True)
            print(s.recv(100).decode(), s.recv(100).decode(), flush=True)
            """, path,
        ]
        listening.standardOutput = output
        listening.standardInput = input
        try listening.run()
        defer {
            listening.terminate()
            listening.waitUntilExit()
            try? FileManager.default.removeItem(atPath: path)
        }
        #expect(line(from: output) == "bound")
        let manager = ServiceNotifier(["NOTIFY_SOCKET": path], process: 1)
        #expect(manager.report(.ready))
        #expect(manager.report(.stopping))
        #expect(line(from: output) == "READY=1 STOPPING=1")
    }

    /// The next line of a program's output, which may come in pieces.
    private func line(from output: Pipe) -> String {
        var text = Data()
        while let byte = try? output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty,
            byte != Data("\n".utf8)
        {
            text += byte
        }
        return String(decoding: text, as: UTF8.self)
    }
}

@Suite struct MachineAddressTests {
    @Test func noAddressOfThisMachineIsLoopbackOrLinkLocal() {
        let linkLocal = ["169.254.0.0/16", "fe80::/10"].compactMap { AddressBlock($0) }
        for address in IPAddress.ofThisMachine {
            #expect(!address.isLoopback && !address.isWildcard)
            #expect(!linkLocal.contains { $0.contains(address) })
        }
    }

    @Test(arguments: ["10.0.0.0/8", "fd00::/8", "::1", "127.0.0.1", "0.0.0.0/0"])
    func aBlockIsWrittenAsItIsRead(text: String) {
        #expect(AddressBlock(text)?.description == text)
    }
}
