// The figures of an invented visit: shares of the shelf, and the score of the shop. Invariant:
// shares of one kind add up to the facings of all photos.

extension EmulatedVisit {
    /// The facings on all photos.
    private var facings: Int { shelf.reduce(0) { $0 + $1.facings } }

    /// The facings of the own brand.
    private var ownFacings: Int {
        shelf.reduce(0) { $0 + ($1.product.isOwn ? $1.facings : 0) }
    }

    /// Shares of the shelf, by visit, category and brand.
    var shareOfShelf: AiletReport.ShareOfShelf {
        var share = AiletReport.ShareOfShelf()
        var visit = AiletReport.VisitShare()
        visit.visitID = id
        visit.value = percent(ownFacings)
        visit.previousValue = visit.value
        share.byVisit = [visit]
        share.byCategories = grouped(by: \.categoryID) { product, share in
            share.categoryID = product.categoryID
            share.categoryName = product.categoryName
        }
        share.byBrands = grouped(by: \.brandID) { product, share in
            share.brandID = product.brandID
            share.brandName = product.brandName
            share.isOwn = product.isOwn ? 1 : 0
        }
        return share
    }

    /// The shares of groups of products, in the order of the shelf.
    private func grouped(
        by key: KeyPath<EmulatedProduct, String>,
        naming: (EmulatedProduct, inout AiletReport.Share) -> Void
    ) -> [AiletReport.Share] {
        var groups: [(product: EmulatedProduct, facings: Int)] = []
        for (product, facings) in shelf {
            let known = groups.firstIndex { $0.product[keyPath: key] == product[keyPath: key] }
            if let known {
                groups[known].facings += facings
            } else {
                groups.append((product, facings))
            }
        }
        return groups.map { product, facings in
            var share = AiletReport.Share()
            naming(product, &share)
            share.facing = .string("\(facings).0")
            share.value = Double(facings)
            share.percent = percent(facings)
            share.matched = facings
            return share
        }
    }

    /// A part of all facings, 0 to 100 without decimals.
    private func percent(_ part: Int) -> Double {
        facings == 0 ? 0 : Double(part * 100 / facings)
    }

    /// The score of a task: the share of planned products that are present.
    func perfectStore(_ taskID: String) -> AiletReport.PerfectStore {
        var indicator = AiletReport.KPI()
        indicator.name = "Products on the shelf"
        indicator.metric = "osa_sku"
        indicator.plan = Double(shelf.count)
        indicator.fact = Double(shelf.count)
        indicator.percentage = 100
        indicator.score = 10
        var answer = AiletReport.Answer()
        answer.index = 0
        answer.name = "Yes"
        answer.points = 1
        var question = AiletReport.Question()
        question.index = 0
        question.kind = "select"
        question.name = "Is the shelf clean?"
        question.isRequired = true
        question.answers = [answer]
        var task = AiletReport.StoreTask()
        task.id = taskID
        task.name = "Shelf check"
        task.score = 11
        task.percentage = 100
        task.kpis = [indicator]
        task.questions = [question]
        var store = AiletReport.PerfectStore()
        store.visitScore = 11
        store.tasks = [task]
        return store
    }
}
