// Adds a style sheet of the page when a view first needs it.
// Invariant: resolves when the sheet is in force, so that nothing is shown without its style.

const loading = new Map();

export function useStyles(name) {
    if (!loading.has(name)) {
        loading.set(name, new Promise((resolve) => {
            const link = document.createElement("link");
            link.rel = "stylesheet";
            link.href = `/${name}`;
            link.addEventListener("load", resolve);
            link.addEventListener("error", resolve);
            document.head.append(link);
        }));
    }
    return loading.get(name);
}
