import type { Page } from './site.mjs';

/** The file of the search. */
export const SEARCH: string;

/** A page of the site. Needs no script, but for the search. */
export function pageHtml(page: Page, sections: readonly (readonly [title: string, pages: readonly Page[]])[]): string;
