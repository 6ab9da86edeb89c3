/** A document as a page of the site. */
export interface Page {
  /** From the root of the repository. */
  readonly source: string;
  readonly file: string;
  readonly title: string;
  readonly html: string;
  readonly anchors: ReadonlySet<string>;
  /** What the search finds: its sections. */
  readonly entries: readonly {
    readonly id: string;
    readonly page: string;
    readonly title: string;
    readonly text: string;
  }[];
}

export function readSite(): {
  readonly pages: readonly Page[];
  /** The pages under their titles, in the order of the navigation. */
  readonly sections: readonly (readonly [title: string, pages: readonly Page[]])[];
  readonly images: readonly string[];
  /** Links to headings that aren't there. */
  readonly broken: readonly string[];
};
