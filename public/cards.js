// Finds the picture of a value: a module of the vendor's name, for vendors that have one.

const CARDS = new Set(["ailet", "dimmy", "rezolve", "welltory", "x-callback-url"]);

/** The card of a record or of what was decoded; null where there is none. */
export async function cardOf(record) {
    if (!CARDS.has(record.vendor) || record.result === null || typeof record.result !== "object") return null;
    const { card } = await import(`./card-${record.vendor}.js`);
    return card(record);
}
