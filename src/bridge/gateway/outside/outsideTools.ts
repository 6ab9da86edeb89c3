import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import { Emitter, type Event } from '../../../base/event.ts';
import type { Catalog } from '../../../catalog/catalog.ts';
import { digestOf, ToolDefinitions, type Audience } from '../listedTools.ts';
import type { ListedTool } from '../upstream.ts';

/** All tools of one server, or of all, as agents outside the editor get them. */
export class OutsideTools implements Disposable {
  readonly #catalog: Catalog;
  readonly #serverId: string | undefined;
  readonly #listed: ToolDefinitions;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new Emitter<void>());
  readonly onDidChange: Event<void> = this.#changed.event;
  #told: string;

  /** @param serverId all servers when absent */
  constructor(catalog: Catalog, audience: Audience, serverId?: string) {
    this.#catalog = catalog;
    this.#serverId = serverId;
    this.#listed = new ToolDefinitions(catalog, audience);
    this.#told = this.#digest();
    this.#disposables.add(
      catalog.onDidChange(() => {
        const told = this.#digest();
        if (told === this.#told) return;
        this.#told = told;
        this.#changed.fire();
      }),
    );
  }

  all(): readonly ListedTool[] {
    const tools = this.#serverId === undefined ? this.#catalog.tools : this.#catalog.toolsOf(this.#serverId);
    return tools.map((tool) => this.#listed.listed(tool)).filter((tool) => tool !== undefined);
  }

  /** By its name in the list, or by any other of its names. */
  find(name: string): ListedTool | undefined {
    const listed = this.all().find((each) => each.name === name);
    const tool = listed ? undefined : this.#catalog.meant(name);
    const isHere = this.#serverId === undefined || tool?.serverId === this.#serverId;
    return tool && isHere ? this.#listed.listed(tool) : listed;
  }

  #digest(): string {
    return digestOf(this.all());
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
