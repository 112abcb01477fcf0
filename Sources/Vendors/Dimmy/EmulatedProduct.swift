// Invented products: no real brand or product. Invariant: products of one brand or category have
// the same id for it.

/// A product that an emulated visit may find.
struct EmulatedProduct {
    let id: String
    let name: String
    let categoryID: String
    let categoryName: String
    let brandID: String
    let brandName: String
    let centimetres: Int
    let price: Int

    /// Whether it is of the first brand, whose share of the shelf is measured.
    let isOwn: Bool

    /// Twelve products of three brands in three categories, with new ids.
    static func assortment(_ random: inout SplitMix64) -> [EmulatedProduct] {
        let brands = ["Brand A", "Brand B", "Brand C"].map { ($0, random.uuid()) }
        let kinds = [
            (
                "Juice",
                [
                    "apple, carton, 1.0", "orange, carton, 1.0", "pear, bottle, 0.5",
                    "grape, can, 0.33",
                ]
            ),
            (
                "Oat drink",
                [
                    "plain, carton, 1.0", "vanilla, carton, 0.5", "cocoa, carton, 0.25",
                    "barista, carton, 1.0",
                ]
            ),
            (
                "Biscuits",
                ["butter, pack, 200", "oat, pack, 300", "lemon, pack, 150", "cocoa, box, 400"]
            ),
        ]
        var products: [EmulatedProduct] = []
        for (category, sorts) in kinds {
            let categoryID = random.uuid()
            for sort in sorts {
                let brand = brands[products.count % brands.count]
                products.append(
                    EmulatedProduct(
                        id: random.uuid(), name: "\(brand.0) \(category.lowercased()) \(sort)",
                        categoryID: categoryID, categoryName: category, brandID: brand.1,
                        brandName: brand.0, centimetres: random.integer(in: 5...18),
                        price: random.integer(in: 19...499), isOwn: brand.0 == brands[0].0))
            }
        }
        return products
    }

    /// The product as in a photo of the report: price as a string, price type as a number.
    func onPhoto(facings: Int, isPromoted: Bool) -> AiletReport.Product {
        var product = AiletReport.Product()
        product.facing = facings
        product.facingGroup = facings
        product.priceType = LooseScalar(isPromoted ? 1 : 0)
        product.price = .string(String(price))
        product.categoryID = categoryID
        product.categoryName = categoryName
        product.externalID = id
        product.name = name
        product.width = AiletReport.Width()
        product.width?.centimetres = Double(centimetres)
        return product
    }

    /// The product as in the assortment of the report: price type as a boolean.
    func inAssortment(facings: Int, isPromoted: Bool) -> AiletReport.AssortedProduct {
        var product = AiletReport.AssortedProduct()
        product.id = id
        product.externalID = id
        product.name = name
        product.brandID = brandID
        product.brandName = brandName
        product.categoryID = categoryID
        product.categoryName = categoryName
        product.plannedFacings = 1
        product.realFacings = facings
        product.countedFacings = facings
        product.price = .string(String(price))
        product.priceType = .boolean(isPromoted)
        return product
    }
}
