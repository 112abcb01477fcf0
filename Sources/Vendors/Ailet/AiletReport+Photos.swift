// The photos of an Ailet report, and what was recognised on them (vendor document 3.3). Invariant:
// scalars whose type differs between the vendor's apps keep their original; other members are
// absent if they have another type.

extension AiletReport {
    /// A photo of a shelf.
    public struct Photo: Sendable, Equatable, JSONModel {
        /// The id, which is its name in the report.
        public var id = ""
        /// The scene that the photo belongs to.
        public var sceneID: String?
        /// The kind of scene, for people.
        public var sceneType: String?
        /// The kind of scene; the vendor's library only.
        public var sceneTypeID: Int?
        /// The photo's path on the device.
        public var imagePath: String?
        /// The photo's URL.
        public var imageURL: String?
        /// The photo's URI on the device; Android 9 and later.
        public var imageURI: String?
        /// The result of recognition.
        public var error: Message?
        /// The products on the photo.
        public var products: [Product]?

        /// Creates a value without any member.
        public init() {}

        mutating func map(_ members: inout some JSONModelMap) {
            members.map("scene_id", &sceneID)
            members.map("scene_type", &sceneType)
            members.map("scene_type_id", &sceneTypeID)
            members.map("image_path", &imagePath)
            members.map("image_url", &imageURL)
            members.map("image_uri", &imageURI)
            members.map("error", &error)
            members.map("products", &products)
        }
    }

    /// A code with a message.
    public struct Message: Sendable, Equatable, JSONModel {
        /// The code as a number; 1 is success.
        public var number: Int?
        /// The code as a number, or as a word such as `RESULT_OK`.
        public var code: LooseScalar?
        /// What happened, for people.
        public var message: String?

        /// Creates a value without any member.
        public init() {}

        mutating func map(_ members: inout some JSONModelMap) {
            members.map("codeInt", &number)
            members.map("code", &code)
            members.map("message", &message)
        }
    }

    /// A product on a photo.
    public struct Product: Sendable, Equatable, JSONModel {
        /// Number of its facings (pieces in the front row).
        public var facing: Int?
        /// Number of its group's facings.
        public var facingGroup: Int?
        /// 0 for a normal price, 1 for a promotion.
        public var priceType: LooseScalar?
        /// The price on the shelf, in the shop's currency; 0 or empty for none.
        public var price: LooseScalar?
        /// The category's id.
        public var categoryID: String?
        /// The category, for people.
        public var categoryName: String?
        /// The product's id at the customer; may be empty.
        public var externalID: String?
        /// The product, for people.
        public var name: String?
        /// Its width.
        public var width: Width?
        /// The product's id; the vendor's library only.
        public var productID: String?
        /// The brand's id; the vendor's library only.
        public var brandID: String?
        /// The brand, for people; the vendor's library only.
        public var brandName: String?

        /// Creates a value without any member.
        public init() {}

        mutating func map(_ members: inout some JSONModelMap) {
            members.map("facing", &facing)
            members.map("facing_group", &facingGroup)
            members.map("price_type", &priceType)
            members.map("price", &price)
            members.map("category_id", &categoryID)
            members.map("category_name", &categoryName)
            members.map("external_id", &externalID)
            members.map("name", &name)
            members.map("width", &width)
            members.map("product_id", &productID)
            members.map("brand_id", &brandID)
            members.map("brand_name", &brandName)
        }
    }

    /// A width.
    public struct Width: Sendable, Equatable, JSONModel {
        /// In centimetres.
        public var centimetres: Double?

        /// Creates a value without any member.
        public init() {}

        mutating func map(_ members: inout some JSONModelMap) {
            members.map("cm", &centimetres)
        }
    }
}
