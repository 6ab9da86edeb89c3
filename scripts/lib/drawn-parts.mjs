/**
 * What is seen of an element: backgrounds, texts and icons, from back to front, in pixels from its upper left corner. Each has a `key`, which is
 * the same in another theme. Runs in the page, so it stands alone.
 * @param {Element} root
 * @param {{ width: number, height: number }} size of what is looked at
 */
export function partsOf(root, { width, height }) {
  const LEAST_OPACITY = 0.1;
  const origin = root.getBoundingClientRect();
  const parts = [];
  const round = (value) => Math.round(value * 10) / 10;
  const alphaOf = (color) => Number(/rgba\(.*?([\d.]+)\)$/.exec(color)?.[1] ?? (color === 'transparent' ? 0 : 1));
  const within = (one, other) => ({
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  });
  const placed = ({ left, top, right, bottom }) => ({
    left: left - origin.left,
    top: top - origin.top,
    right: right - origin.left,
    bottom: bottom - origin.top,
  });
  const isSeen = ({ left, top, right, bottom }) => right - left >= 1 && bottom - top >= 1;

  const addBox = (kind, key, style, box, opacity) =>
    parts.push({
      kind,
      key: `${kind} ${key}`,
      x: round(box.left),
      y: round(box.top),
      width: round(box.right - box.left),
      height: round(box.bottom - box.top),
      radius: Number.parseFloat(style.borderTopLeftRadius) || 0,
      color: style.backgroundColor,
      opacity: round(opacity),
    });
  const addText = (text, key, style, box, clip, opacity) => {
    const size = Number.parseFloat(style.fontSize);
    const visible = within(box, clip);
    if (!isSeen(visible) || visible.bottom - visible.top < size * 0.8) return;
    const share = (visible.right - box.left) / (box.right - box.left);
    const isCut = share < 0.98;
    const shown = isCut ? `${text.slice(0, Math.max(1, Math.floor(text.length * share) - 1)).trimEnd()}…` : text;
    parts.push({
      kind: 'text',
      key: `text ${key}`,
      text: shown,
      x: round(box.left),
      y: round((box.top + box.bottom) / 2 + size * 0.36),
      width: round(visible.right - box.left),
      size: round(size),
      isBold: Number(style.fontWeight) >= 600,
      isCode: /mono|courier/i.test(style.fontFamily),
      color: style.color,
      opacity: round(opacity),
    });
  };
  const visit = (element, key, opacity, clip) => {
    const style = getComputedStyle(element);
    const own = opacity * Number(style.opacity);
    const box = placed(element.getBoundingClientRect());
    const seen = within(box, clip);
    if (style.visibility === 'hidden' || style.display === 'none' || own < LEAST_OPACITY) return;
    const isContents = style.display === 'contents' || box.right === box.left;
    if (!isContents && !isSeen(seen)) return;
    if (!isContents && alphaOf(style.backgroundColor) > 0.05) addBox('box', key, style, seen, own);
    if (element.matches('.monaco-button')) addBox('frame', key, style, seen, own);
    if (element.matches('.monaco-list-row.focused')) addBox('focus', key, style, seen, own);
    const before = getComputedStyle(element, '::before');
    const character = before.content.replaceAll('"', '');
    if (/codicon/.test(before.fontFamily) && character !== 'none' && character.length === 1) {
      const size = Math.round(Number.parseFloat(before.fontSize)) || 16;
      const x = Number.parseFloat(style.paddingLeft) || 0;
      const y = box.top + (box.bottom - box.top - size) / 2;
      const color = before.color;
      // As for a row that is closed.
      const isTurned = before.transform.replaceAll(/[\d.]+e-\d+/g, '0').startsWith('matrix(0, -1');
      parts.push({
        kind: 'icon',
        key: `icon ${key}`,
        x: round(box.left + x),
        y: round(y),
        size,
        character,
        isTurned,
        color,
        opacity: round(own),
      });
    }
    const inner = style.overflowX === 'visible' && style.overflowY === 'visible' ? clip : seen;
    if (element.placeholder && !element.value) {
      const hint = getComputedStyle(element, '::placeholder');
      const left = box.left + (Number.parseFloat(style.paddingLeft) || 0);
      const canvas = document.createElement('canvas').getContext('2d');
      canvas.font = `${style.fontSize} ${style.fontFamily}`;
      const right = left + canvas.measureText(element.placeholder).width;
      addText(element.placeholder, key, { ...pick(style), color: hint.color }, { ...box, left, right }, inner, own);
    }
    for (const [at, child] of element.childNodes.entries()) {
      if (child.nodeType === 1) visit(child, `${key}.${at}`, own, inner);
      if (child.nodeType === 3 && child.textContent.trim() !== '')
        for (const [line, { text, box: ofLine }] of linesOf(child).entries())
          addText(text, `${key}.${at} ${line}`, style, placed(ofLine), inner, own);
    }
  };
  const pick = ({ fontSize, fontWeight, fontFamily }) => ({ fontSize, fontWeight, fontFamily });
  /** A text as it is broken. */
  const linesOf = (node) => {
    const lines = [];
    const range = document.createRange();
    for (let index = 0; index < node.length; index += 1) {
      range.setStart(node, index);
      range.setEnd(node, index + 1);
      const box = range.getBoundingClientRect();
      const isBlank = node.data[index].trim() === '';
      const line = lines.at(-1);
      if (line && Math.abs(line.box.top - box.top) < 3) {
        line.text += node.data[index];
        if (!isBlank) line.box = { ...line.box, right: box.right };
      } else if (box.width > 0 && !isBlank) {
        const { left, top, right, bottom } = box;
        lines.push({ text: node.data[index], box: { left, top, right, bottom } });
      }
    }
    return lines.map((line) => ({ ...line, text: line.text.trimEnd() }));
  };
  visit(root, '', 1, { left: 0, top: 0, right: width, bottom: height });
  const variables = {};
  for (const [name, values] of document.querySelector('.monaco-workbench').computedStyleMap())
    if (name.startsWith('--vscode-')) variables[name] = String(values[0]).trim();
  return { parts, variables };
}
