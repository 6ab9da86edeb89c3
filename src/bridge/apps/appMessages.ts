/** What the document around an app is told. */
export type ToAppView =
  | {
      readonly type: 'open';
      readonly html: string;
      /** Of the frame, for screen readers. */
      readonly title: string;
      /** Permissions policy of the frame. */
      readonly allow: string;
    }
  /** Everything beside the app; in the language of the editor. */
  | {
      readonly type: 'about';
      readonly heading: string;
      readonly notes: readonly string[];
      /** What the button says that gives the page what it asks for; absent: there is none. */
      readonly permit?: string;
      readonly resultLabel: string;
      /** The result for those who can't see or use the app. */
      readonly result: string;
      readonly words: AppWords;
    }
  /** A message to the app. */
  | { readonly type: 'rpc'; readonly message: Readonly<Record<string, unknown>> }
  | { readonly type: 'started' }
  | { readonly type: 'height'; readonly height: number }
  | { readonly type: 'mode'; readonly mode: DisplayMode }
  /** The app is gone, and this is why. */
  | { readonly type: 'failed'; readonly why: string };

export type DisplayMode = 'inline' | 'fullscreen';

/** What is said of an app that doesn't work. */
export interface AppWords {
  readonly silent: string;
  readonly flood: string;
  readonly large: string;
  readonly left: string;
  readonly focus: string;
}

/** What the document around an app says. */
export type FromAppView =
  | { readonly type: 'ready' }
  | { readonly type: 'permit' }
  /** The app is gone: what it asked for is, too. */
  | { readonly type: 'gone' }
  | { readonly type: 'rpc'; readonly message: unknown }
  /** What the app is told of the window: theme, colours and size (MCP Apps: *Host Context*). */
  | { readonly type: 'context'; readonly context: Readonly<Record<string, unknown>> };
