// The peer's store: one durable transaction for each callback, three indexes, and full text.

import Foundation
import GRDB

/// A callback as it is stored.
struct StoredCallback: Codable, PersistableRecord, Sendable {
    static let databaseTableName = "callback"

    var seq: Int64?
    let id: String
    let receivedAt: Double
    let vendor: String
    let inbox: String
    let outcome: String
    let barcode: String?
    let width: Double?
    let height: Double?
    let depth: Double?
    /// The request's body.
    let body: String
    /// What was decoded, as JSON.
    let result: String
    /// What a person searches for.
    let words: String

    init(_ callback: FluxCallback, id: String, body: String) throws {
        self.id = id
        receivedAt = Date.now.timeIntervalSince1970
        vendor = "dimmy"
        inbox = "default"
        outcome = callback.status
        let barcodes = callback.item?.barcodeScanning?.flatMap { $0.barcodes ?? [] } ?? []
        barcode = barcodes.first?.value
        let box = callback.item?.dimensioning?.first?.dimensions
        width = box?.width
        height = box?.height
        depth = box?.depth
        self.body = body
        result = String(decoding: try JSONEncoder().encode(callback.item), as: UTF8.self)
        words = (barcodes.map(\.value) + callback.context.values).joined(separator: " ")
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { seq = inserted.rowID }
}

/// The database.
struct CallbackStore: Sendable {
    private let database: DatabasePool

    init(at path: String) throws {
        var configuration = Configuration()
        // GRDB's pool is in WAL mode with `synchronous = NORMAL`, which is not durable.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        database = try DatabasePool(path: path, configuration: configuration)
        try database.write { database in
            try database.create(table: StoredCallback.databaseTableName) { table in
                table.autoIncrementedPrimaryKey("seq")
                table.column("id", .text).notNull().unique()
                table.column("receivedAt", .double).notNull()
                table.column("vendor", .text).notNull()
                table.column("inbox", .text).notNull()
                table.column("outcome", .text)
                table.column("barcode", .text)
                table.column("width", .double)
                table.column("height", .double)
                table.column("depth", .double)
                table.column("body", .text).notNull()
                table.column("result", .text).notNull()
                table.column("words", .text).notNull()
            }
            for columns in [["vendor", "receivedAt"], ["inbox", "receivedAt"], ["barcode"]] {
                try database.create(
                    index: "callback_" + columns.joined(separator: "_"),
                    on: StoredCallback.databaseTableName, columns: columns)
            }
            try database.create(virtualTable: "callbackWords", using: FTS5()) { table in
                table.synchronize(withTable: StoredCallback.databaseTableName)
                table.column("words")
            }
        }
    }

    /// Stores a callback; returns its number when it is durable.
    func append(_ callback: StoredCallback) async throws -> Int64 {
        try await database.write { database in
            try callback.insert(database)
            return database.lastInsertedRowID
        }
    }
}
