// An invented visit to a shop: photos, and what was recognised on them.
//
// Invariant: counters match the lists, shares match the photos' facings, and every id that is
// referred to exists. Left out: real products and shops.

/// A visit, and the report of it.
struct EmulatedVisit {
    /// The vendor's own id of the visit.
    let id: String

    /// How many scenes the photos show.
    let sceneCount: Int

    private(set) var photos: [AiletReport.Photo] = []

    /// The ids of the photos that are not recognised yet.
    private(set) var waiting: [String] = []

    /// The recognised products, and how many of each are on the photos.
    private(set) var shelf: [(product: EmulatedProduct, facings: Int)] = []

    private let hasPromotion: Bool

    /// Invents a visit, with ids of `time`, seconds since 1970.
    init(photoCount: Int, lastIsWaiting: Bool, at time: Int64, _ random: inout SplitMix64) {
        let stamp = String(UInt64(max(time, 0)), radix: 16)
        let prefix = String(repeating: "0", count: max(8 - stamp.count, 0)) + stamp
        let number = random.integer(in: 0...899)
        let makeID = { (random: inout SplitMix64, index: Int) in
            "\(prefix)\(random.hexadecimal(5))-\(1000 + (number + index) % 9000)"
        }
        id = makeID(&random, 0)
        sceneCount = min(photoCount, max(photoCount / 2, 1))
        hasPromotion = random.integer(in: 0...3) == 0
        let scenes = (0..<sceneCount).map { makeID(&random, 1 + $0) }
        let products = EmulatedProduct.assortment(&random)
        for index in 0..<max(photoCount, 0) {
            var photo = AiletReport.Photo()
            photo.id = makeID(&random, 1 + sceneCount + index)
            photo.sceneID = scenes.isEmpty ? nil : scenes[index % scenes.count]
            photo.sceneType = "Main shelf"
            let name = UTCText.zulu(time - 60 + Int64(index % 60)).dropLast()
            let file = name.map { $0 == "T" || $0 == ":" ? "-" : $0 }
            photo.imagePath = "/Documents/\(id)/\(String(file))-\(index)-o.jpg"
            photo.imageURL = "https://images.example.com/\(photo.id).jpg"
            photos.append(photo)
            if lastIsWaiting, index == photoCount - 1 { break }
            recognise(products, photo: index, &random)
        }
        waiting = lastIsWaiting ? photos.suffix(1).map(\.id) : []
    }

    /// Places some of `products` on a photo.
    private mutating func recognise(
        _ products: [EmulatedProduct], photo index: Int, _ random: inout SplitMix64
    ) {
        let first = random.integer(in: 0...products.count - 1)
        photos[index].error = Self.success
        photos[index].products = (0..<random.integer(in: 4...6)).map { offset in
            let product = products[(first + offset) % products.count]
            let facings = random.integer(in: 1...6)
            if let known = shelf.firstIndex(where: { $0.product.id == product.id }) {
                shelf[known].facings += facings
            } else {
                shelf.append((product, facings))
            }
            return product.onPhoto(facings: facings, isPromoted: hasPromotion)
        }
    }

    /// The report; without photos it holds only recognition and counts (vendor document 3.2).
    func content(status: Int, visitID: String?, taskID: String?) -> AiletReport.Content {
        var content = AiletReport.Content()
        content.recognition = recognition(status, visitID)
        content.visitStatistics = statistics
        if photos.isEmpty { return content }
        content.photos = photos
        content.assortment = shelf.map {
            $0.product.inAssortment(facings: $0.facings, isPromoted: hasPromotion)
        }
        content.shareOfShelf = shareOfShelf
        content.shareOfShelfByMetric = [shareOfShelf]
        content.custom = .emptyArray
        if let taskID { content.perfectStore = perfectStore(taskID) }
        return content
    }

    private func recognition(_ status: Int, _ visitID: String?) -> AiletReport.Recognition {
        var recognition = AiletReport.Recognition()
        recognition.number = status
        recognition.code = LooseScalar(status)
        recognition.message =
            switch status {
            case 1: "Successfully processed"
            case 2: "No photos"
            default: "In progress"
            }
        recognition.photos = photos.count
        recognition.sentPhotos = photos.count
        recognition.visitID = visitID
        recognition.internalVisitID = id
        return recognition
    }

    private var statistics: AiletReport.VisitStatistics {
        var statistics = AiletReport.VisitStatistics()
        var counts = AiletReport.PhotoCounts()
        counts.created = photos.count
        counts.sent = photos.count
        counts.waiting = waiting.count
        counts.completed = photos.count - waiting.count
        counts.toRetake = 0
        counts.deleted = 0
        counts.uncompressed = 0
        statistics.photos = counts
        statistics.waiting = waiting
        statistics.toRetake = []
        statistics.deleted = []
        return statistics
    }

    private static var success: AiletReport.Message {
        var message = AiletReport.Message()
        message.number = 1
        message.code = LooseScalar(1)
        message.message = "Successfully processed"
        return message
    }
}
