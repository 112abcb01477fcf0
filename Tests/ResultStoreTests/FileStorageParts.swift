// The parts of a store in files, for tests that check more than its queries.

@testable import ResultStore

extension ResultStore {
    /// What keeps the records of a store that was opened in a folder.
    private var inFiles: FileStorage {
        guard let files = storage as? FileStorage else {
            preconditionFailure("the store isn't in files")
        }
        return files
    }

    var index: ResultIndex { inFiles.index }
    var files: SegmentFiles { inFiles.files }
    var journal: Journal { inFiles.journal }
    var keeper: Keeper { inFiles.keeper }
    var folder: StoreFolder { inFiles.folder }
}
