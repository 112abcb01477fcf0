// Ailet's visit: shares of the shelf as bars with plan and previous value, what was found and
// missing, the photos' quality, and the score of a perfect store.

import { bar, figureOf, leftOut, shortNumber, shortText } from "./drawing.js";
import { element } from "./elements.js";

const SHOWN = 12;

export function card({ result }) {
    const report = result.report ?? {};
    const parts = [
        counts(result, report),
        shares(report.share_shelf),
        assortment(report.assortment_achievement),
        perfectStore(report.perfectstore),
    ].filter(Boolean);
    return parts.length > 0 ? element("div", { class: "card" }, parts) : null;
}

const nameOf = (value) => shortText(value ?? "?");
const percent = (value) => figureOf(value, (number) => `${shortNumber(number, 1)} %`) ?? "–";

function counts(result, report) {
    const photos = report.visit_stats?.photo ?? {};
    const figures = [
        ["Status", result.status],
        ["Photos", result.photosCounter], ["Scenes", result.scenesCounter],
        ["Photos not recognised", result.notDetectedPhotosCounter],
        ["Good quality", photos.goodQuality], ["Bad quality", photos.badQuality], ["To retake", photos.retake],
    ].filter(([, value]) => (value ?? "") !== "");
    if (figures.length === 0) return null;
    return element("dl", { class: "figures" }, figures.map(([label, value]) =>
        element("div", {}, element("dt", {}, label), element("dd", {}, nameOf(value)))));
}

function shares(shelf) {
    const rows = [
        ...listed(shelf?.share_shelf_by_visit).map((share) => ["Whole visit", share]),
        ...listed(shelf?.share_shelf_by_categories).map((share) => [share.product_category_name, share]),
        ...listed(shelf?.share_shelf_by_brands).map((share) => [share.brand_name, share]),
    ].filter(([, share]) => figureOf(share.value ?? share.percent) !== null);
    return group("Share of shelf", rows, ([name, share]) => {
        const value = share.value ?? share.percent;
        return element("li", { class: "share" },
            element("span", { class: "share-name" }, nameOf(name)),
            bar(value, share.plan),
            element("span", { class: "share-value" }, percent(value),
                element("span", { class: "soft" }, [["plan", share.plan], ["before", share.value_previous]]
                    .map(([word, figure]) => figureOf(figure) && ` · ${word} ${percent(figure)}`))));
    });
}

function assortment(products) {
    const list = listed(products);
    const factOf = (product) => figureOf(product.facing_fact ?? product.facing_real);
    const isMissing = (product) => [null, "0"].includes(factOf(product));
    const missing = list.filter(isMissing);
    const title = `Assortment: ${list.length - missing.length} of ${list.length} found`;
    const rows = [...missing, ...list.filter((product) => !isMissing(product))];
    return group(title, rows, (product) => {
        const [fact, plan] = [factOf(product), figureOf(product.facing_plan)];
        return element("li", { class: "product", "data-missing": isMissing(product) },
            element("span", { "aria-hidden": "true" }, isMissing(product) ? "✗ " : "✓ "),
            nameOf(product.name ?? product.id), " ",
            element("span", { class: "soft" },
                isMissing(product) ? "missing" : fact === "1" ? "1 facing" : `${fact} facings`,
                plan && `, planned ${plan}`));
    });
}

function perfectStore(store) {
    const score = figureOf(store?.total_visit_score, (number) => shortNumber(number, 1));
    const rows = listed(store?.tasks);
    if (score === null && rows.length === 0) return null;
    const title = `Perfect store${score === null ? "" : `: score ${score}`}`;
    return group(title, rows, (task) => element("li", { class: "share" },
        element("span", { class: "share-name" }, nameOf(task.name)),
        bar(task.percentage),
        element("span", { class: "share-value" }, percent(task.percentage)))) ?? element("h4", {}, title);
}

const listed = (value) => (Array.isArray(value) ? value.filter((item) => item && typeof item === "object") : []);

function group(title, rows, makeItem) {
    if (rows.length === 0) return null;
    return element("div", {}, element("h4", {}, title),
        element("ul", {}, rows.slice(0, SHOWN).map(makeItem), leftOut(rows.length, SHOWN, "li")));
}
