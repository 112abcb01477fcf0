// What payloads hold, row by row as in the vendor document (1.3 and 3.3).
// Left out: names that the vendors show nowhere; those objects are open.

extension Schema {
    /// Dimmy's and Flux's item, in both spellings (1.3).
    static let item = Schema([
        (
            "",
            "_id owner_id scanner_account_id flow_id created_at updated_at started_at ended_at "
                + "startedAt endedAt code", .string
        ),
        ("", "barcode_scanning barcodeScanning weighing custom_inputs customInputs", .array),
        (
            "photographing[]",
            "flow_step_id flowStepId started_at ended_at startedAt endedAt", .string
        ),
        ("photographing[]", "photos[]", [.object, .string]),
        ("photographing[].photos[]", "date url", .string),
        // Steps and boxes have more members than the vendor's public pages show.
        ("", "dimensioning[]", [.object, .open]),
        ("dimensioning[]", "dimensions", [.object, .open]),
        (
            "dimensioning[]",
            "flow_step_id flowStepId started_at ended_at startedAt endedAt mode", .string
        ),
        ("dimensioning[].dimensions", "width height depth", .number),
        ("dimensioning[].dimensions", "unit", .string),
    ])

    /// Ailet's callback: the root and the report (3.2 and 3.3).
    static let visitReport = Schema(
        visitRoot + photos + shares + perfectStore
            + assortment(in: "report.assortment_achievement[]")
            + assortment(in: "report.assortment_achievement_by_metrics[].products[]"))

    private typealias Row = (place: String, names: String, kinds: Kinds)

    private static let visitRoot: [Row] = [
        ("", "status", []),
        (
            "",
            "photosCounter notDetectedPhotosCounter notDetectedScenesCounter scenesCounter "
                + "sceneCounter nonValidPhotosCounter", [.integer, .required]
        ),
        (
            "",
            "task_id store_id user_id external_user_id visit_id internal_visit_id local_visit_id "
                + "install_id", [.string, .required]
        ),
        ("", "report", [.object, .required]), ("report", "custom", .array),
        ("report.result", "code", [.integer, .string, .lenient]),
        ("report.result", "codeInt total_photos sended_photos completed_on_device", .integer),
        ("report.result", "message visit_id internal_visit_id source", .string),
        // The counters `need_send` are known, but not what they are called.
        ("report", "visit_stats", [.object, .open]),
        (
            "report.visit_stats.photo",
            "created sent wait completed retake deleted uncompressed badQuality goodQuality "
                + "sentWithError", .integer
        ),
        ("report.visit_stats.photo", "status", .string),
        ("report.visit_stats", "photo_wait photo_retake photo_deleted", .array),
        ("report", "assortment_achievement assortment_achievement_by_metrics", .array),
        ("report.assortment_achievement_by_metrics[]", "assortment_achievement_name", .string),
    ]

    private static let photos: [Row] = [
        ("report.photos.*", "scene_id scene_type image_path image_url image_uri", .string),
        ("report.photos.*", "scene_type_id", .integer),
        ("report.photos.*.error", "codeInt", .integer),
        ("report.photos.*.error", "code", [.integer, .string, .lenient]),
        ("report.photos.*.error", "message", .string),
        ("report.photos.*.products[]", "facing facing_group", .integer),
        ("report.photos.*.products[]", "price", [.number, .lenient]),
        ("report.photos.*.products[]", "price_type", [.integer, .lenient]),
        (
            "report.photos.*.products[]",
            "category_id category_name name external_id product_id brand_id brand_name", .string
        ),
        ("report.photos.*.products[].width", "cm", .number),
    ]

    private static func assortment(in place: String) -> [Row] {
        [
            (
                place,
                "id name brand_id brand_name category_name product_category_id external_id",
                .string
            ),
            (
                place, "facing_plan facing_real facing_fact price_status scene_type_id", .integer
            ),
            (place, "price", [.number, .lenient]), (place, "price_type", [.integer, .lenient]),
            (place, "price_range_min price_range_max", .number),
        ]
    }

    /// Shares of shelf: of the visit, and the same of each metric.
    private static let shares: [Row] = ["report.share_shelf", "report.share_shelf_by_metrics[]"]
        .flatMap { place -> [Row] in
            [
                (place, "share_shelf_type share_shelf_name", .string),
                (place + ".share_shelf_by_visit[]", "value value_previous", .integer),
                (place + ".share_shelf_by_visit[]", "visit_id", .string),
                (place + ".share_shelf_by_visit[]", "plan percent numerator denominator", .number),
            ]
                + ["macrocategories", "categories", "brands"].flatMap { group -> [Row] in
                    let list = "share_shelf_by_" + group
                    return [
                        // Ids and names are known to be there, but not what they are called.
                        (place, list + "[]", [.object, .open]),
                        (place + ".\(list)[]", "value matched", .integer),
                        (place + ".\(list)[]", "percent", .number),
                        (place + ".\(list)[]", "facing", .string),
                        (place + ".\(list)[]", "is_own", [.integer, .boolean]),
                    ]
                }
        }

    private static let perfectStore: [Row] = [
        ("report.perfectstore", "total_visit_score", .number),
        ("report.perfectstore.tasks[]", "id name", .string),
        ("report.perfectstore.tasks[]", "total_score percentage", .number),
        ("report.perfectstore.tasks[].kpis[]", "id", .integer),
        ("report.perfectstore.tasks[].kpis[]", "name metric_type matrix_type", .string),
        (
            "report.perfectstore.tasks[].kpis[]", "plan_value fact_value percentage score_value",
            .number
        ),
        ("report.perfectstore.tasks[].questions[]", "id", [.integer, .string]),
        ("report.perfectstore.tasks[].questions[]", "index", .integer),
        ("report.perfectstore.tasks[].questions[]", "type name", .string),
        ("report.perfectstore.tasks[].questions[]", "required", .boolean),
        ("report.perfectstore.tasks[].questions[].answers[]", "index point", .integer),
        ("report.perfectstore.tasks[].questions[].answers[]", "name", .string),
    ]
}
