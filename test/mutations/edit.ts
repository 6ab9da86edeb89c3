/** What takes a guard out: a file, a text that stands in it once, and what stands there without the guard. */
export type Edit = readonly [file: string, text: string, replacement: string];

/** The guards of some rows of the attack table, by title. Where several stand behind each other, all are taken out. */
export type Rows = Readonly<Record<string, readonly Edit[]>>;
