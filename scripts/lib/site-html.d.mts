import type { Page } from './site.mjs';

type Sections = readonly (readonly [title: string, pages: readonly Page[]])[];

/** The file of the search. */
export const SEARCH: string;

/** A page of the site. Needs no script, but for the search. */
export function pageHtml(page: Page, sections: Sections): string;

/** The page of the search. */
export function searchHtml(sections: Sections): string;
