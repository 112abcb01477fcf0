// On-shelf availability (OSA) and share of shelf (SOS) of an Ailet report (vendor document 3.3).
// Invariant: scalars whose type differs between the vendor's apps keep their original; other
// members are absent if they have another type.

extension AiletReport {
    /// Whether a product of the assortment is on the shelf (OSA).
    public struct AssortedProduct: Sendable, Equatable, JSONModel {
        /// The product's id.
        public var id: String?
        /// The product's id at the customer; optional.
        public var externalID: String?
        /// The product, for people.
        public var name: String?
        /// The brand's id.
        public var brandID: String?
        /// The brand, for people.
        public var brandName: String?
        /// The category's id.
        public var categoryID: String?
        /// The category, for people.
        public var categoryName: String?
        /// Planned number of facings.
        public var plannedFacings: Int?
        /// Recognised number of facings.
        public var realFacings: Int?
        /// Number of facings that count for the plan.
        public var countedFacings: Int?
        /// The price on the shelf, in the shop's currency; 0 or empty for none.
        public var price: LooseScalar?
        /// False or 0 for a normal price, true or 1 for a promotion.
        public var priceType: LooseScalar?
        /// The lowest correct price.
        public var leastPrice: Double?
        /// The highest correct price.
        public var greatestPrice: Double?
        /// Whether the price is correct; the values aren't documented.
        public var priceStatus: Int?
        /// The kind of scene.
        public var sceneTypeID: Int?

        /// Creates a value without any member.
        public init() {}

        mutating func map(_ members: inout some JSONModelMap) {
            members.map("id", &id)
            members.map("external_id", &externalID)
            members.map("name", &name)
            members.map("brand_id", &brandID)
            members.map("brand_name", &brandName)
            members.map("product_category_id", &categoryID)
            members.map("category_name", &categoryName)
            members.map("facing_plan", &plannedFacings)
            members.map("facing_real", &realFacings)
            members.map("facing_fact", &countedFacings)
            members.map("price", &price)
            members.map("price_type", &priceType)
            members.map("price_range_min", &leastPrice)
            members.map("price_range_max", &greatestPrice)
            members.map("price_status", &priceStatus)
            members.map("scene_type_id", &sceneTypeID)
        }
    }

    /// The assortment by one metric.
    public struct AssortmentMetric: Sendable, Equatable, JSONModel {
        /// The metric, for people.
        public var name: String?
        /// The products that it covers.
        public var products: [AssortedProduct]?

        /// Creates a value without any member.
        public init() {}

        mutating func map(_ members: inout some JSONModelMap) {
            members.map("assortment_achievement_name", &name)
            members.map("products", &products)
        }
    }

    /// Shares of the shelf (SOS).
    public struct ShareOfShelf: Sendable, Equatable, JSONModel {
        /// The kind of metric.
        public var kind: String?
        /// The metric, for people.
        public var name: String?
        /// Of the visit as a whole.
        public var byVisit: [VisitShare]?
        /// By group of categories.
        public var byMacrocategories: [Share]?
        /// By category.
        public var byCategories: [Share]?
        /// By brand.
        public var byBrands: [Share]?

        /// Creates a value without any member.
        public init() {}

        mutating func map(_ members: inout some JSONModelMap) {
            members.map("share_shelf_type", &kind)
            members.map("share_shelf_name", &name)
            members.map("share_shelf_by_visit", &byVisit)
            members.map("share_shelf_by_macrocategories", &byMacrocategories)
            members.map("share_shelf_by_categories", &byCategories)
            members.map("share_shelf_by_brands", &byBrands)
        }
    }

    /// The share of the shelf in a visit.
    public struct VisitShare: Sendable, Equatable, JSONModel {
        /// The visit, by the vendor's own id.
        public var visitID: String?
        /// The share now.
        public var value: Double?
        /// The share at the previous visit.
        public var previousValue: Double?
        /// The planned share.
        public var plan: Double?
        /// 0 to 100.
        public var percent: Double?
        /// The own facings.
        public var numerator: Double?
        /// All facings.
        public var denominator: Double?

        /// Creates a value without any member.
        public init() {}

        mutating func map(_ members: inout some JSONModelMap) {
            members.map("visit_id", &visitID)
            members.map("value", &value)
            members.map("value_previous", &previousValue)
            members.map("plan", &plan)
            members.map("percent", &percent)
            members.map("numerator", &numerator)
            members.map("denominator", &denominator)
        }
    }

    /// The share of one brand, category or group of categories.
    public struct Share: Sendable, Equatable, JSONModel {
        /// The group's id, of a share by group.
        public var productMacrocategoryID: String?
        /// The group, for people.
        public var macrocategoryName: String?
        /// The group's id, of a share by category.
        public var macrocategoryID: String?
        /// The category's id.
        public var categoryID: String?
        /// The category, for people.
        public var categoryName: String?
        /// The brand's id.
        public var brandID: String?
        /// The brand, for people.
        public var brandName: String?
        /// Number of facings; the vendor writes `72.0` as a string.
        public var facing: LooseScalar?
        /// The facings that count.
        public var value: Double?
        /// The facings at the previous visit.
        public var previousValue: Double?
        /// 0 to 100.
        public var percent: Double?
        /// The facings that match the plan.
        public var matched: Int?
        /// 1 for an own brand, 0 for another's.
        public var isOwn: Int?

        /// Creates a value without any member.
        public init() {}

        mutating func map(_ members: inout some JSONModelMap) {
            members.map("product_macro_category_id", &productMacrocategoryID)
            members.map("product_macro_category_name", &macrocategoryName)
            members.map("macro_category_id", &macrocategoryID)
            members.map("product_category_id", &categoryID)
            members.map("product_category_name", &categoryName)
            members.map("brand_id", &brandID)
            members.map("brand_name", &brandName)
            members.map("facing", &facing)
            members.map("value", &value)
            members.map("value_previous", &previousValue)
            members.map("percent", &percent)
            members.map("matched", &matched)
            members.map("is_own", &isOwn)
        }
    }
}
