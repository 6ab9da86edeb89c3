/** Colours that many others are equal to in all themes. */
const COMMON = ['foreground', 'sideBar-background', 'quickInput-background', 'input-background', 'button-background'];

/**
 * Finds the colours of themes that elements have.
 * @param {readonly Readonly<Record<string, string>>[]} variables the CSS variables of each theme, by name
 * @returns {(colors: readonly string[]) => string} for a colour in each of the themes, the variable that has it or comes closest
 */
export function fillsOf(variables) {
  // What a theme doesn't have isn't seen, where the picture says no other colour.
  const colorIn = (theme, name) => (theme[name] === undefined ? [0, 0, 0, 0] : rgba(theme[name]));
  const all = [...new Set(variables.flatMap(Object.keys))].filter((name) =>
    variables.every((theme) => colorIn(theme, name) !== undefined),
  );
  const rank = (name) => {
    const place = COMMON.findIndex((each) => name === `--vscode-${each}`);
    return place < 0 ? COMMON.length : place;
  };
  const names = all.toSorted((one, other) => rank(one) - rank(other) || one.length - other.length);
  const known = new Map();
  return (colors) => {
    const key = colors.join(' ');
    if (!known.has(key)) {
      const wanted = colors.map(rgba);
      const far = (name) =>
        variables.reduce((sum, theme, index) => sum + distance(colorIn(theme, name), wanted[index]), 0);
      const nearest = names.reduce((best, name) => (far(name) < far(best) ? name : best), names[0]);
      known.set(key, `var(${nearest})`);
    }
    return known.get(key);
  };
}

/** @returns {readonly number[] | undefined} red, green, blue to 255, and opacity to 1; undefined for what is no colour */
export function rgba(color) {
  const hex = /^#([\da-f]{6})([\da-f]{2})?$/i.exec(color);
  if (hex) {
    const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(hex[1].slice(at, at + 2), 16));
    return [red, green, blue, hex[2] === undefined ? 1 : Number.parseInt(hex[2], 16) / 255];
  }
  const parts = /^rgba?\(([^)]+)\)$/.exec(color)?.[1].split(/[ ,/]+/);
  return parts && [...parts.slice(0, 3).map(Number), parts[3] === undefined ? 1 : Number(parts[3])];
}

/** As far as they look apart: a transparent one has no colour. */
function distance(one, other) {
  const seen = ([red, green, blue, alpha]) => [red * alpha, green * alpha, blue * alpha, alpha * 255];
  const [first, second] = [seen(one), seen(other)];
  return first.reduce((sum, value, index) => sum + Math.abs(value - second[index]), 0);
}
