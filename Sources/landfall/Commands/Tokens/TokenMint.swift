// `landfall token mint`: creates tokens as a partner's back end does.

import ArgumentParser
import JSON
import RezolveSandbox
import Text
import Vendors

struct Token: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make and explain Rezolve's registration and login tokens.",
        subcommands: [TokenInspect.self, TokenMint.self])
}

struct TokenMint: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mint",
        abstract: "Make a registration token, or with --entity-id and --device-id a login token.",
        discussion: """
            The key comes from --key, --key-file or LANDFALL_REZOLVE_KEY. It is used as text, not \
            Base64-decoded.

            A token that will be refused is made anyway; standard error says why.

            EXAMPLES
              landfall token mint --key-file partner.key --partner-entity-id 4711
              landfall token mint --key-file partner.key --partner-entity-id 4711 \\
                --entity-id e-1 --device-id d-1
            """)

    @Option(help: ArgumentHelp("The partner's own id of the person.", valueName: "id"))
    var partnerEntityId: String

    @Option(
        help: ArgumentHelp(
            "The entity that registration gave: makes a login token.", valueName: "id"))
    var entityId: String?

    @Option(help: ArgumentHelp("The device of a login token.", valueName: "id"))
    var deviceId: String?

    @Option(
        help: ArgumentHelp(
            "How long it is valid, such as 90s or 30m; Rezolve allows 30 minutes.",
            valueName: "duration"))
    var expiresIn = "30m"

    @OptionGroup var keys: KeyOptions

    @OptionGroup var format: JSONOption

    func validate() throws {
        if (entityId == nil) != (deviceId == nil) {
            throw ValidationError("A login token needs both --entity-id and --device-id.")
        }
        for text in [partnerEntityId, entityId, deviceId] where text?.isEmpty == true {
            throw ValidationError("An id must not be empty.")
        }
        if entityId == RezolveToken.noEntity {
            throw ValidationError(
                "\(RezolveToken.noEntity) means no entity: leave out --entity-id and "
                    + "--device-id for a registration token.")
        }
        guard Duration(expiresIn) != nil else {
            throw ValidationError("--expires-in must be a number and a unit, such as 90s or 30m.")
        }
    }

    func run() async throws {
        do {
            guard let key = try keys.bytes() else {
                throw ValidationError("Give a key: --key, --key-file or LANDFALL_REZOLVE_KEY.")
            }
            let milliseconds = Duration(expiresIn)?.milliseconds ?? 0
            let expiry = (try keys.seconds()).rounded(.down) + Double(milliseconds) / 1000
            let token = TokenSignature.token(subject, partnerEntityId, expiry, key)
            if key.count < TokenSignature.keyBytes {
                Console.printError(
                    "the key has \(key.count) bytes; a partner_auth_key has about 90, and other "
                        + "libraries choose another algorithm below \(TokenSignature.keyBytes).")
            }
            let inspection = TokenInspection(
                Array(token.utf8), key: key, now: try keys.seconds(), device: deviceId)
            for problem in inspection.problems {
                Console.printError("\(problem.code.rawValue): \(problem.message)")
            }
            try Console.print(format.json ? Self.document(token, inspection) : token)
        } catch let failure as CommandFailure {
            Console.printError(failure.description)
            throw failure.exitCode
        }
    }

    private var subject: RezolveToken.Subject {
        guard let entityId, let deviceId else { return .newcomer }
        return .entity(entityId, device: deviceId)
    }

    private static func document(_ token: String, _ inspection: TokenInspection) -> String {
        var json = JSONWriter(reservingCapacity: 512)
        json.object { json in
            json.member("token", token)
            json.member("valid", inspection.isValid)
            inspection.writeMembers(to: &json)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
