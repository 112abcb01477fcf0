// A QR code that the API drew, as nodes of the page.
// Invariant: the image is never parsed as markup: its size and the squares are taken out of it, and
// everything else is made here.

const SVG = "http://www.w3.org/2000/svg";
const SIZE = /viewBox="0 0 (\d{1,3}) \d{1,3}"/;
const SQUARES = /<path d="([Mhvz\d -]+)"/;

/** Dark on white in either colour scheme, as readers expect it; null for another image. */
export function qrCode(image, name) {
    const size = SIZE.exec(image)?.[1];
    const squares = SQUARES.exec(image)?.[1];
    if (!size || !squares) return null;
    const attributes = {
        class: "qr-code", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": name,
        "shape-rendering": "crispEdges",
    };
    return svgElement("svg", attributes,
        svgElement("path", { fill: "#fff", d: `M0 0h${size}v${size}H0z` }),
        svgElement("path", { d: squares }));
}

function svgElement(tag, attributes, ...children) {
    const node = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
}
