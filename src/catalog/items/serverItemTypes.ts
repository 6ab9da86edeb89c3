/** A resource as its server lists it (specification: resources). */
export interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** In bytes. */
  readonly size?: number;
}

/** A family of resources, by a URI template (RFC 6570). */
export interface McpResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** A prompt as its server lists it (specification: prompts). */
export interface McpPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly { readonly name: string; readonly description?: string; readonly required?: boolean }[];
}

/** What a server offers besides tools. */
export interface ServerOffers {
  readonly resources: readonly McpResource[];
  readonly templates: readonly McpResourceTemplate[];
  readonly prompts: readonly McpPrompt[];
}

/** One thing that a server offers besides tools. */
export type Offer = { readonly serverId: string; readonly serverName: string; readonly summary: string } & (
  | { readonly kind: 'resource'; readonly resource: McpResource }
  | { readonly kind: 'template'; readonly template: McpResourceTemplate }
  | { readonly kind: 'prompt'; readonly prompt: McpPrompt }
);
