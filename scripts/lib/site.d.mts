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

/** @param folder of the documents; without one, this repository's */
export function readSite(folder?: string): {
  readonly pages: readonly Page[];
  /** The pages under their titles, in the order of the navigation. */
  readonly sections: readonly (readonly [title: string, pages: readonly Page[]])[];
  /** From the folder: in docs/ and media/ alone. */
  readonly images: readonly string[];
  /** Links and images that lead nowhere, out of the folder, or to another site for an image. */
  readonly broken: readonly string[];
};
