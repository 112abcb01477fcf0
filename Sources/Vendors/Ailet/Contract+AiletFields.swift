// The fields of Ailet's report (vendor document 3.2 and 3.3). The types before and after the slash
// in its table are both allowed. Left out: the elements of `custom`, which are unknown.

extension Contract {
    static let ailetFields: [ContractField] =
        [ContractField("result", .object, .plain, .always)] + ailetRoot + ailetReport
        + ailetPhotos + ailetAssortment + ailetShares + ailetPerfectStore + ailetStatistics

    /// Section 3.2, S unless marked.
    ///
    /// Some methods return only a status (3.1).
    private static let ailetRoot: [ContractField] = [
        ContractField("result.status", .string, .plain, .always, values: AiletStatus.names),
        ContractField("result.photosCounter", .integer),
        ContractField("result.notDetectedPhotosCounter", .integer),
        ContractField("result.notDetectedScenesCounter", .integer),
        ContractField("result.scenesCounter", .integer),
        // S: a misspelling in the first document, and a name that no example has.
        ContractField("result.sceneCounter", .integer),
        ContractField("result.nonValidPhotosCounter", .integer),
        ContractField("result.task_id", .string, .identifier),
        // V: of Android; a store is a location of a person.
        ContractField("result.store_id", .string, .location),
        ContractField("result.user_id", .string, .identifier),
        ContractField("result.external_user_id", .string, .identifier),
        ContractField("result.visit_id", .string, .identifier),
        ContractField("result.internal_visit_id", .string, .identifier),
        ContractField("result.local_visit_id", .string, .identifier),
        ContractField("result.install_id", .string, .identifier),
        ContractField("result.report", .object),
    ]

    private static let ailetReport: [ContractField] = [
        ContractField("result.report.result", .object),
        ContractField("result.report.result.code", [.integer, .string], isLenient: true),
        ContractField("result.report.result.codeInt", .integer),
        ContractField("result.report.result.total_photos", .integer),
        ContractField("result.report.result.sended_photos", .integer),
        ContractField("result.report.result.message", .string),
        ContractField("result.report.result.visit_id", .string, .identifier),
        ContractField("result.report.result.internal_visit_id", .string, .identifier),
        // Of on-device recognition.
        ContractField(
            "result.report.result.source", .string, values: ["online", "on-device"]),
        ContractField("result.report.result.completed_on_device", .integer),
        ContractField("result.report.custom", .array, isOpen: true),
    ]

    private static let ailetPhotos: [ContractField] = [
        ContractField("result.report.photos", .object),
        ContractField("result.report.photos.*", .object),
        ContractField("result.report.photos.*.scene_id", .string),
        ContractField("result.report.photos.*.scene_type", .string),
        ContractField("result.report.photos.*.scene_type_id", .integer),
        // Pictures of the inside of a store.
        ContractField("result.report.photos.*.image_path", .string, .identifier),
        ContractField("result.report.photos.*.image_url", .string, .identifier),
        ContractField("result.report.photos.*.image_uri", .string, .identifier),
        ContractField("result.report.photos.*.error", .object),
        ContractField("result.report.photos.*.error.codeInt", .integer),
        ContractField("result.report.photos.*.error.code", [.integer, .string], isLenient: true),
        ContractField("result.report.photos.*.error.message", .string),
        ContractField("result.report.photos.*.products", .array),
        ContractField("result.report.photos.*.products.*", .object),
        ContractField("result.report.photos.*.products.*.facing", .integer),
        ContractField("result.report.photos.*.products.*.facing_group", .integer),
        ContractField(
            "result.report.photos.*.products.*.price", [.numberText, .number], isLenient: true),
        ContractField(
            "result.report.photos.*.products.*.price_type", [.integer, .boolean],
            isLenient: true),
        ContractField("result.report.photos.*.products.*.category_id", .string),
        ContractField("result.report.photos.*.products.*.category_name", .string),
        ContractField("result.report.photos.*.products.*.name", .string),
        ContractField("result.report.photos.*.products.*.external_id", .string),
        ContractField("result.report.photos.*.products.*.width", .object),
        ContractField("result.report.photos.*.products.*.width.cm", .number),
        ContractField("result.report.photos.*.products.*.product_id", .string),
        ContractField("result.report.photos.*.products.*.brand_id", .string),
        ContractField("result.report.photos.*.products.*.brand_name", .string),
    ]

    private static let ailetAssortment: [ContractField] =
        achievements(in: "result.report.assortment_achievement")
        + [
            // V.
            ContractField("result.report.assortment_achievement_by_metrics", .array),
            ContractField("result.report.assortment_achievement_by_metrics.*", .object),
            ContractField(
                "result.report.assortment_achievement_by_metrics.*.assortment_achievement_name",
                .string),
        ] + achievements(in: "result.report.assortment_achievement_by_metrics.*.products")

    private static func achievements(in list: String) -> [ContractField] {
        let texts = ["id", "name", "brand_id", "brand_name", "category_name"]
        let integers = ["facing_plan", "facing_real", "facing_fact"]
        return [ContractField(list, .array), ContractField(list + ".*", .object)]
            + (texts + ["product_category_id", "external_id"]).map {
                ContractField("\(list).*.\($0)", .string)
            }
            + (integers + ["price_status", "scene_type_id"]).map {
                ContractField("\(list).*.\($0)", .integer)
            }
            + ["price_range_min", "price_range_max"].map {
                ContractField("\(list).*.\($0)", .number)
            }
            + [
                ContractField("\(list).*.price", [.numberText, .number], isLenient: true),
                ContractField("\(list).*.price_type", [.boolean, .integer], isLenient: true),
            ]
    }

    private static let ailetShares: [ContractField] =
        shares("result.report.share_shelf")
        + [ContractField("result.report.share_shelf_by_metrics", .array)]
        + shares("result.report.share_shelf_by_metrics.*")

    private static func shares(_ place: String) -> [ContractField] {
        let visits = "\(place).share_shelf_by_visit"
        return [
            ContractField(place, .object),
            ContractField("\(place).share_shelf_type", .string),
            ContractField("\(place).share_shelf_name", .string),
            ContractField(visits, .array),
            ContractField("\(visits).*", .object),
            ContractField("\(visits).*.value", .integer),
            ContractField("\(visits).*.value_previous", .integer),
            ContractField("\(visits).*.visit_id", .string, .identifier),
        ]
            // V.
            + ["plan", "percent", "numerator", "denominator"].map {
                ContractField("\(visits).*.\($0)", .number)
            }
            + ["macrocategories", "categories", "brands"].flatMap { group in
                let list = "\(place).share_shelf_by_\(group)"
                return [
                    ContractField(list, .array),
                    // Ids and names are known to exist, but not their names.
                    ContractField("\(list).*", .object, isOpen: true),
                    ContractField("\(list).*.value", .integer),
                    ContractField("\(list).*.matched", .integer),
                    ContractField("\(list).*.percent", .number),
                    ContractField("\(list).*.facing", .string),
                    ContractField(
                        "\(list).*.is_own", [.integer, .boolean], values: ["0", "1"]),
                ]
            }
    }

    /// V; the table says `perfect_store`, the data `perfectstore`.
    private static let ailetPerfectStore: [ContractField] = [
        ContractField("result.report.perfectstore", .object),
        ContractField("result.report.perfectstore.total_visit_score", .number),
        ContractField("result.report.perfectstore.tasks", .array),
        ContractField("result.report.perfectstore.tasks.*", .object),
        ContractField("result.report.perfectstore.tasks.*.id", .string),
        ContractField("result.report.perfectstore.tasks.*.name", .string),
        ContractField("result.report.perfectstore.tasks.*.total_score", .number),
        ContractField("result.report.perfectstore.tasks.*.percentage", .number),
        ContractField("result.report.perfectstore.tasks.*.kpis", .array),
        ContractField("result.report.perfectstore.tasks.*.kpis.*", .object),
        ContractField("result.report.perfectstore.tasks.*.kpis.*.id", .integer),
        ContractField("result.report.perfectstore.tasks.*.kpis.*.name", .string),
        ContractField(
            "result.report.perfectstore.tasks.*.kpis.*.metric_type", .string,
            values: ["osa_sku", "osa_facing"]),
        ContractField("result.report.perfectstore.tasks.*.kpis.*.matrix_type", .string),
        ContractField("result.report.perfectstore.tasks.*.kpis.*.plan_value", .number),
        ContractField("result.report.perfectstore.tasks.*.kpis.*.fact_value", .number),
        ContractField("result.report.perfectstore.tasks.*.kpis.*.percentage", .number),
        ContractField("result.report.perfectstore.tasks.*.kpis.*.score_value", .number),
        ContractField("result.report.perfectstore.tasks.*.questions", .array),
        ContractField("result.report.perfectstore.tasks.*.questions.*", .object),
        ContractField("result.report.perfectstore.tasks.*.questions.*.id", [.integer, .string]),
        ContractField("result.report.perfectstore.tasks.*.questions.*.index", .integer),
        ContractField(
            "result.report.perfectstore.tasks.*.questions.*.type", .string,
            values: ["select", "multiselect", "text"]),
        ContractField("result.report.perfectstore.tasks.*.questions.*.name", .string),
        ContractField("result.report.perfectstore.tasks.*.questions.*.required", .boolean),
        ContractField("result.report.perfectstore.tasks.*.questions.*.answers", .array),
        ContractField("result.report.perfectstore.tasks.*.questions.*.answers.*", .object),
        ContractField("result.report.perfectstore.tasks.*.questions.*.answers.*.index", .integer),
        ContractField("result.report.perfectstore.tasks.*.questions.*.answers.*.name", .string),
        ContractField("result.report.perfectstore.tasks.*.questions.*.answers.*.point", .integer),
    ]

    private static let ailetStatistics: [ContractField] =
        [
            // The counters `need_send` are known to exist, but not their names.
            ContractField("result.report.visit_stats", .object, isOpen: true),
            ContractField("result.report.visit_stats.photo", .object),
            // I: ids of photos.
            ContractField("result.report.visit_stats.photo_wait", .array, isOpen: true),
            ContractField("result.report.visit_stats.photo_retake", .array, isOpen: true),
            ContractField("result.report.visit_stats.photo_deleted", .array, isOpen: true),
            ContractField("result.report.visit_stats.photo.status", .string),
        ]
        + [
            "created", "sent", "wait", "completed", "retake", "deleted", "uncompressed",
            // V: of version 3.
            "badQuality", "goodQuality", "sentWithError",
        ].map { ContractField("result.report.visit_stats.photo.\($0)", .integer) }
}
