import { isExactNumber } from '../../base/json/exactNumber.ts';

/** What a value takes beside its characters, in bytes: at most, as V8 holds it. */
const PER_VALUE = 24;
const PER_OBJECT = 48;
/** A name that no other object has, with what describes the object, or with its place in a table. */
const PER_NAME = 96;
const PER_CHARACTER = 2;
/** Deeper values count as more than any limit: nothing that is of use is so deep. */
const MAX_DEPTH = 200;

/**
 * What values of JSON take in memory and as text, in bytes. One for many values, since each message of a connection is weighed: it
 * makes nothing.
 */
export class HeldSize {
  /** In memory, from above; at least the limit where the value takes more. */
  heap = 0;
  #characters = 0;
  #values = 0;
  #limit = 0;
  #mostText = Infinity;

  /** As text, roughly; of a value over the limit, of what was looked at. */
  get text(): number {
    return this.#characters + this.#values * 4;
  }

  /** Whether the text of a value may have no more than so many characters; where it can't, only `text` is known of it, of what was looked at. */
  mayFit(value: unknown, characters: number): boolean {
    this.#mostText = characters;
    const mayFit = this.of(value, Infinity);
    this.#mostText = Infinity;
    return mayFit;
  }

  /** Looks no further than what takes `limit` in memory. @returns whether the value takes less */
  of(value: unknown, limit: number): boolean {
    this.heap = 0;
    this.#characters = 0;
    this.#values = 0;
    this.#limit = limit;
    const isWhole = this.#add(value, 0) && this.heap < limit && this.#leastText <= this.#mostText;
    if (!isWhole) this.heap = Math.max(this.heap, limit);
    return isWhole;
  }

  /** In characters, from below: each value has one at least. */
  get #leastText(): number {
    return this.#characters + this.#values;
  }

  #add(value: unknown, depth: number): boolean {
    if (typeof value === 'string') return this.#addText(value);
    this.#values += 1;
    this.heap += PER_VALUE;
    if (typeof value !== 'object' || value === null) return true;
    this.heap += PER_OBJECT;
    if (this.heap >= this.#limit || this.#leastText > this.#mostText || depth > MAX_DEPTH) return false;
    if (Array.isArray(value)) {
      if (value.length * PER_VALUE > this.#limit || value.length > this.#mostText) {
        this.#values += value.length;
        return false;
      }
      for (let index = 0; index < value.length; index += 1) if (!this.#add(value[index], depth + 1)) return false;
      return true;
    }
    if (this.#mostText !== Infinity && isExactNumber(value)) {
      this.#characters += value.rawJSON.length - 1;
      return true;
    }
    const members = value as Readonly<Record<string, unknown>>;
    for (const key in members) {
      const member = members[key];
      this.heap += PER_NAME + PER_CHARACTER * key.length;
      // It isn't written.
      if (member === undefined) continue;
      this.#characters += key.length;
      // Most members are texts and numbers: a call for each takes longer than they do.
      if (typeof member === 'string') this.#addText(member);
      else if (!this.#add(member, depth + 1)) return false;
    }
    return true;
  }

  #addText({ length }: string): true {
    this.#values += 1;
    this.#characters += length;
    this.heap += PER_VALUE + PER_CHARACTER * length;
    return true;
  }
}
