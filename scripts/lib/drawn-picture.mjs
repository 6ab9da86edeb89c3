import { fillsOf } from './theme-fills.mjs';
import { partsOf } from './drawn-parts.mjs';

/**
 * A part of the window as an SVG for `media.svg` of a walkthrough: its texts, icons and backgrounds, each in the colour of the theme (a CSS
 * variable) that it has in the window. It takes a tenth of the room of a picture in pixels, and fits every theme.
 * @param {import('playwright-core').Locator} locator
 * @param {{ width: number, height: number, title: string, replaced?: Readonly<Record<string, string>> }} options what is drawn of it, from its
 * upper left corner, in pixels; what it shows; texts of this machine, with what stands in their place
 * @param {(theme: string) => Promise<void>} useTheme
 * @param {{ themes: readonly string[], glyph: (character: string, size: number) => string }} drawing glyph: the outline of an icon
 * @returns {Promise<string>}
 */
export async function drawnPicture(locator, options, useTheme, { themes, glyph }) {
  const { width, height, title, replaced = {} } = options;
  const found = [];
  for (const theme of themes) {
    await useTheme(theme);
    found.push(await locator.evaluate(partsOf, { width, height }));
  }
  const [{ parts }] = found;
  const inThemes = found.map((each) => new Map(each.parts.map(({ key, color }) => [key, color])));
  const fillOf = fillsOf(found.map(({ variables }) => variables));
  const texts = (text) =>
    Object.entries(replaced).reduce((all, [machine, readers]) => all.replaceAll(machine, readers), text);
  const body = parts.map((part) => {
    // A theme can have a frame in place of a background.
    const fill = fillOf(inThemes.map((colors) => colors.get(part.key) ?? 'rgba(0, 0, 0, 0)'));
    return element({ ...part, ...(part.text === undefined ? {} : { text: texts(part.text) }) }, part, fill, glyph);
  });
  const frame = `<rect width="${width}" height="${height}" fill="none" stroke="var(--vscode-contrastBorder,#8884)"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox(width, height)}" font-family="system-ui,sans-serif" font-size="13" fill="none" role="img">
<title>${escapeXml(title)}</title>
<clipPath id="all"><rect width="${width}" height="${height}"/></clipPath>
<g clip-path="url(#all)">
${body.join('\n')}
${frame}
</g>
</svg>
`;
}

/** The walkthrough draws all pictures equally wide: a narrow one keeps its letters small with room beside it. */
const LEAST_WIDTH = 480;

function viewBox(width, height) {
  const room = Math.max(0, LEAST_WIDTH - width);
  return `${-room / 2} 0 ${width + room} ${height}`;
}

function element(part, original, fill, glyph) {
  const { x, y, width, height, opacity } = part;
  const colored = `fill="${fill}"${opacity < 1 ? ` opacity="${opacity}"` : ''}`;
  switch (part.kind) {
    case 'box':
      return `<rect x="${x}" y="${y}" width="${width}" height="${height}"${part.radius > 0 ? ` rx="${part.radius}"` : ''} ${colored}/>`;
    // High contrast frames what other themes fill.
    case 'frame':
      return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${part.radius}" fill="none" stroke="var(--vscode-contrastBorder,transparent)"/>`;
    case 'focus':
      return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="none" stroke="var(--vscode-contrastActiveBorder,transparent)"/>`;
    case 'icon': {
      const turned = part.isTurned ? ` rotate(-90 ${part.size / 2} ${part.size / 2})` : '';
      return `<path transform="translate(${x} ${y})${turned}" d="${glyph(part.character, part.size)}" ${colored}/>`;
    }
    default: {
      const size = part.size === 13 ? '' : ` font-size="${part.size}"`;
      const style = `${size}${part.isBold ? ' font-weight="600"' : ''}${part.isCode ? ' font-family="monospace"' : ''}`;
      // Other fonts are as wide as this one.
      const length = part.text === original.text ? ` textLength="${width}"` : '';
      return `<text x="${x}" y="${y}"${length}${style} ${colored}>${escapeXml(part.text)}</text>`;
    }
  }
}

const escapeXml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
