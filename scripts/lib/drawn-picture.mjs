/** Icons are drawn as small images, whose colour the picture says: twice as large, for sharp screens. */
const ICON_SCALE = 2;

/**
 * A part of the window as an SVG: its texts, icons and backgrounds, with the colours that they have in a light and in a dark theme. It takes a
 * tenth of the room of a picture in pixels, and is as sharp on every screen.
 * @param {import('playwright-core').Locator} locator
 * @param {{ width: number, height: number }} size of the part, from its upper left corner
 * @param {(theme: 'light' | 'dark') => Promise<void>} useTheme
 * @returns {Promise<string>}
 */
export async function drawnPicture(locator, size, useTheme) {
  const found = {};
  for (const theme of ['light', 'dark']) {
    await useTheme(theme);
    found[theme] = await locator.evaluate(partsOf, { ...size, scale: ICON_SCALE });
  }
  const { light, dark } = found;
  if (light.length !== dark.length)
    throw new Error(`${light.length} parts in the light theme, ${dark.length} in the dark one`);
  const classes = new Map();
  const classOf = (index) => {
    const colors = `${light[index].color} ${dark[index].color}`;
    if (!classes.has(colors)) classes.set(colors, `c${classes.size}`);
    return classes.get(colors);
  };
  const masks = new Map();
  const maskOf = (image) => {
    if (!masks.has(image)) masks.set(image, `m${masks.size}`);
    return masks.get(image);
  };
  const body = light.map((part, index) => element(part, classOf(index), maskOf)).join('\n');
  const fills = (place) => [...classes].map(([colors, name]) => `.${name}{fill:${colors.split(' ')[place]}}`).join('');
  const symbols = [...masks].map(([image, name]) => {
    const { iconSize } = light.find((part) => part.image === image);
    const picture = `<image href="${image}" width="${iconSize}" height="${iconSize}"/>`;
    return `<mask id="${name}" maskUnits="userSpaceOnUse" width="${iconSize}" height="${iconSize}">${picture}</mask>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}">
<style>text{font:13px system-ui,sans-serif;white-space:pre}${fills(0)}@media(prefers-color-scheme:dark){${fills(1)}}</style>
${symbols.join('')}${body}
</svg>
`;
}

function element(part, className, maskOf) {
  const { x, y, width, height } = part;
  switch (part.kind) {
    case 'box':
      return `<rect class="${className}" x="${x}" y="${y}" width="${width}" height="${height}" rx="${part.radius}"/>`;
    case 'icon': {
      const icon = `<rect width="${part.iconSize}" height="${part.iconSize}" class="${className}" mask="url(#${maskOf(part.image)})"/>`;
      return `<g transform="translate(${x} ${y})">${icon}</g>`;
    }
    default: {
      const style = `${part.size === 13 ? '' : ` style="font-size:${part.size}px"`}${part.isBold ? ' font-weight="600"' : ''}`;
      return `<text class="${className}" x="${x}" y="${y}" textLength="${width}"${style}>${escapeXml(part.text)}</text>`;
    }
  }
}

const escapeXml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Runs in the page. */
function partsOf(root, { width, height, scale }) {
  const origin = root.getBoundingClientRect();
  const parts = [];
  const round = (value) => Math.round(value * 10) / 10;
  const rgb = (color) =>
    /rgba?\(([^)]+)\)/
      .exec(color)?.[1]
      .split(/[ ,/]+/)
      .map(Number) ?? [0, 0, 0, 0];
  const alphaOf = (color) => rgb(color)[3] ?? 1;
  const solid = (color, opacity, below) => {
    const [r, g, b, a = 1] = rgb(color);
    const share = a * opacity;
    const mixed = [r, g, b].map((each, index) => Math.round(each * share + below[index] * (1 - share)));
    return `#${mixed.map((each) => each.toString(16).padStart(2, '0')).join('')}`;
  };
  const canvas = document.createElement('canvas');
  const iconImage = (glyph, size) => {
    [canvas.width, canvas.height] = [size * scale, size * scale];
    const context = canvas.getContext('2d');
    context.font = `${size * scale}px codicon`;
    context.fillStyle = 'white';
    context.textBaseline = 'middle';
    context.fillText(glyph, 0, (size * scale) / 2);
    return canvas.toDataURL('image/png');
  };
  const visit = (element, opacity, below) => {
    const style = getComputedStyle(element);
    const own = opacity * Number(style.opacity);
    const box = element.getBoundingClientRect();
    const [x, y] = [box.x - origin.x, box.y - origin.y];
    if (style.visibility === 'hidden' || own < 0.1 || box.width === 0 || y > height || x > width || y + box.height < 0)
      return;
    let ground = below;
    if (alphaOf(style.backgroundColor) > 0.05) {
      const color = solid(style.backgroundColor, own, below);
      ground = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
      const right = Math.min(width, x + box.width);
      const bottom = Math.min(height, y + box.height);
      const radius = Number.parseFloat(style.borderTopLeftRadius) || 0;
      const [left, top] = [Math.max(0, x), Math.max(0, y)];
      parts.push({
        kind: 'box',
        x: round(left),
        y: round(top),
        width: round(right - left),
        height: round(bottom - top),
        radius,
        color,
      });
    }
    const icon = getComputedStyle(element, '::before');
    if (/codicon/.test(icon.fontFamily) && icon.content.length > 2 && icon.content !== 'none') {
      const size = Math.round(Number.parseFloat(icon.fontSize)) || 16;
      const image = iconImage(icon.content.replaceAll('"', ''), size);
      const top = y + (box.height - size) / 2;
      parts.push({
        kind: 'icon',
        x: round(x),
        y: round(top),
        iconSize: size,
        image,
        color: solid(icon.color, own, ground),
      });
    }
    for (const child of element.childNodes) {
      if (child.nodeType === 1) visit(child, own, ground);
      if (child.nodeType !== 3 || child.textContent.trim() === '') continue;
      const range = document.createRange();
      range.selectNodeContents(child);
      const [line] = range.getClientRects();
      if (!line || line.width < 2) continue;
      const [lineX, lineY] = [line.x - origin.x, line.y - origin.y];
      if (lineY + line.height > height || lineY < 0) continue;
      const size = Number.parseFloat(style.fontSize);
      const baseline = lineY + line.height / 2 + size * 0.36;
      parts.push({
        kind: 'text',
        text: child.textContent,
        x: round(lineX),
        y: round(baseline),
        width: round(line.width),
        size: round(size),
        isBold: Number(style.fontWeight) >= 600,
        color: solid(style.color, own, ground),
      });
    }
  };
  visit(root, 1, [255, 255, 255]);
  return parts;
}
