// Reading the files that commands about links are given; `-` is standard input.

import AppLinks
import Foundation
import PositionedJSON

/// A file that was named on the command line.
enum AssociationFile {
    /// A file's bytes, or standard input's.
    static func content(of path: String) throws(AssociationFailure) -> [UInt8] {
        if path == "-" { return [UInt8](FileHandle.standardInput.readDataToEndOfFile()) }
        do throws(ConfigurationError) {
            return try Folder.content(of: path)
        } catch {
            throw AssociationFailure(error)
        }
    }

    /// The link file of that name.
    static func association(at path: String) throws(AssociationFailure) -> AppSiteAssociation {
        let content = try content(of: path)
        do throws(JSONFault) {
            return try AppSiteAssociation(reading: content)
        } catch {
            throw AssociationFailure(error, in: path)
        }
    }
}
