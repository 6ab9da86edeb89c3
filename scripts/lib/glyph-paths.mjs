import { readFileSync } from 'node:fs';

/** Bits of a point of a glyph, and of a part of a composed one (OpenType, tables `glyf`). */
const ON_CURVE = 1;
const SHORT_X = 2;
const SHORT_Y = 4;
const REPEAT = 8;
const SAME_X = 16;
const SAME_Y = 32;

/**
 * The outlines of the icons of a font, as SVG paths.
 * @param {string} file a TrueType font whose glyphs aren't composed of others, as codicon.ttf
 * @returns {(character: string, size: number) => string} the path in a square of `size` pixels
 */
export function glyphPaths(file) {
  const bytes = readFileSync(file);
  const tables = new Map();
  for (let index = 0; index < bytes.readUInt16BE(4); index += 1) {
    const at = 12 + index * 16;
    tables.set(bytes.toString('latin1', at, at + 4), bytes.subarray(bytes.readUInt32BE(at + 8)));
  }
  const [head, loca, glyf, cmap, hhea] = ['head', 'loca', 'glyf', 'cmap', 'hhea'].map((name) => tables.get(name));
  const unitsPerEm = head.readUInt16BE(18);
  const ascent = hhea.readInt16BE(4);
  const isLong = head.readInt16BE(50) === 1;
  const glyphs = charactersOf(cmap);
  const offset = (glyph) => (isLong ? loca.readUInt32BE(glyph * 4) : loca.readUInt16BE(glyph * 2) * 2);
  return (character, size) => {
    const glyph = glyphs.get(character.codePointAt(0));
    if (glyph === undefined) throw new Error(`The font has no ${character.codePointAt(0)?.toString(16)}.`);
    if (offset(glyph) === offset(glyph + 1)) return '';
    const scale = size / unitsPerEm;
    const round = (value) => Math.round(value * 10) / 10;
    const place = ({ x, y }) => [round(x * scale), round((ascent - y) * scale)];
    return contoursOf(glyf.subarray(offset(glyph)))
      .map((contour) => pathOf(contour, place))
      .join('');
  };
}

/** Glyphs by code point: the table that covers the basic plane (format 4). */
function charactersOf(cmap) {
  const glyphs = new Map();
  for (let index = 0; index < cmap.readUInt16BE(2); index += 1) {
    const table = cmap.subarray(cmap.readUInt32BE(8 + index * 8));
    if (table.readUInt16BE(0) !== 4) continue;
    const count = table.readUInt16BE(6) / 2;
    for (let segment = 0; segment < count; segment += 1) {
      const end = table.readUInt16BE(14 + segment * 2);
      const start = table.readUInt16BE(16 + (count + segment) * 2);
      const delta = table.readUInt16BE(16 + (2 * count + segment) * 2);
      const rangeAt = 16 + (3 * count + segment) * 2;
      const range = table.readUInt16BE(rangeAt);
      for (let code = start; code <= end && code < 0xffff; code += 1) {
        const listed = range === 0 ? code : table.readUInt16BE(rangeAt + range + (code - start) * 2);
        glyphs.set(code, (listed + delta) & 0xffff);
      }
    }
  }
  return glyphs;
}

/** The points of a simple glyph, by contour. */
function contoursOf(glyph) {
  const count = glyph.readInt16BE(0);
  if (count < 0) throw new Error('Composed glyphs are not read.');
  const ends = Array.from({ length: count }, (_, index) => glyph.readUInt16BE(10 + index * 2));
  const points = Array.from({ length: (ends.at(-1) ?? -1) + 1 }, () => ({ flags: 0, x: 0, y: 0 }));
  let at = 10 + count * 2;
  at += 2 + glyph.readUInt16BE(at);
  for (let index = 0; index < points.length;) {
    const flags = glyph[at++];
    const times = flags & REPEAT ? 1 + glyph[at++] : 1;
    for (let time = 0; time < times; time += 1) points[index++].flags = flags;
  }
  for (const [axis, short, same] of [
    ['x', SHORT_X, SAME_X],
    ['y', SHORT_Y, SAME_Y],
  ]) {
    let value = 0;
    for (const point of points) {
      if (point.flags & short) value += point.flags & same ? glyph[at++] : -glyph[at++];
      else if (!(point.flags & same)) {
        value += glyph.readInt16BE(at);
        at += 2;
      }
      point[axis] = value;
    }
  }
  return ends.map((end, index) => points.slice(index === 0 ? 0 : ends[index - 1] + 1, end + 1));
}

/** A contour, whose points off the curve are the middle ones of quadratic curves: two of them have a point between. */
function pathOf(contour, place) {
  const isOn = ({ flags }) => (flags & ON_CURVE) !== 0;
  const between = (one, other) => ({ flags: ON_CURVE, x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
  const all = contour.flatMap((point, index) => {
    const next = contour[(index + 1) % contour.length];
    return isOn(point) || isOn(next) ? [point] : [point, between(point, next)];
  });
  const first = all.findIndex(isOn);
  const [start, ...rest] = [...all.slice(first), ...all.slice(0, first)];
  let at = place(start);
  let path = `M${numbers(at)}`;
  // From where the last one ended: the numbers are shorter.
  const from = (point) => place(point).map((value, axis) => Math.round((value - at[axis]) * 10) / 10);
  for (let index = 0; index < rest.length; index += 1) {
    if (isOn(rest[index])) {
      const [x, y] = from(rest[index]);
      if (x !== 0 || y !== 0)
        path += y === 0 ? `h${numbers([x])}` : x === 0 ? `v${numbers([y])}` : `l${numbers([x, y])}`;
      at = place(rest[index]);
    } else {
      const end = rest[index + 1] ?? start;
      path += `q${numbers([...from(rest[index]), ...from(end)])}`;
      at = place(end);
      index += 1;
    }
  }
  return `${path}z`;
}

/** As short as SVG takes them: `.5-1` is 0.5 and -1. */
function numbers(values) {
  return values
    .map((value) => String(value).replace(/^(-?)0\./, '$1.'))
    .reduce((all, next) => all + (next.startsWith('-') ? '' : ' ') + next);
}
