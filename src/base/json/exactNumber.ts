/** ECMAScript 2026, *JSON.rawJSON*: a number as it is written, which `JSON.stringify` writes so again. */
const RAW = JSON as typeof JSON & {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
};

/** @param digits a number as JSON has it */
export function exactNumber(digits: string): object {
  return RAW.rawJSON(digits);
}

/** Whether a value is a number that stands as its text, as `exactNumber` gives it. */
export function isExactNumber(value: object): value is { readonly rawJSON: string } {
  return RAW.isRawJSON(value);
}

/** What a number is to a program, whether it stands as its text or not; `undefined`: it is no number. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'object' && value !== null && isExactNumber(value) ? Number(value.rawJSON) : undefined;
}

/** Whether a double is another number than the one that these digits are. */
export function isChangedByDouble(digits: string): boolean {
  const number = Number(digits);
  return !Number.isFinite(number) || decimalOf(digits) !== decimalOf(String(number));
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** The one form of all spellings of a number. */
function decimalOf(text: string): string {
  const [, sign = '', whole = '', part = '', power = '0'] = NUMBER.exec(text) ?? [];
  const digits = (whole + part).replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  if (short === '') return '0';
  return `${sign}${short}e${Number(power) - part.length + digits.length - short.length}`;
}
