// Loaded with the first resource that is opened.
import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { messageOf, SwitchboardError } from '../../base/errors.ts';
import type { Host } from '../../host/host.ts';
import { readContents, type ResourceContent, documentBytes } from './readContents.ts';
import { documentUri, resourceOf, RESOURCE_SCHEME, type ResourceId } from './documentUri.ts';
import { ResourceSubscriptions } from './subscriptions.ts';

/** The editor asks for a document's size and then for its bytes: one reading serves both. */
const KEEP_MS = 3_000;

interface Kept {
  readonly bytes: Promise<Uint8Array>;
  /** Milliseconds since the epoch. */
  readonly modified: number;
}

/** Resources as documents of the editor, read through the broker, and read again when their server says that they changed. */
export class ResourceDocuments implements Disposable {
  readonly #host: Host;
  readonly #disposables = new DisposableStore();
  readonly #kept = new Map<string, Kept>();
  /** Resources that the user opened: reading them again isn't asked about, unlike what an extension or a model opens. */
  readonly #opened = new Set<string>();
  readonly #changed: (uri: vscode.Uri) => void;
  readonly #ending = new AbortController();

  /** @param changed has the editor read a document again */
  constructor(host: Host, changed: (uri: vscode.Uri) => void) {
    this.#host = host;
    this.#changed = changed;
    const subscriptions = this.#disposables.add(
      new ResourceSubscriptions(host, systemClock, (resource) => this.#refresh(resource)),
    );
    const follow = (): void => subscriptions.follow(openDocuments().flatMap((uri) => resourceOf(uri) ?? []));
    this.#disposables.add(vscode.window.tabGroups.onDidChangeTabs(follow));
    this.#disposables.add(host.pool.onDidChangeState(follow));
    follow();
  }

  /**
   * Shows a resource that the user chose. It is read first, since only then its type is known.
   * @throws SwitchboardError what reading throws
   */
  async open(resource: ResourceId): Promise<void> {
    this.#opened.add(keyOf(resource));
    const contents = await this.#contents(resource);
    const uri = vscode.Uri.from(documentUri(resource, typeOf(contents)));
    this.#keep(uri, Promise.resolve(documentBytes(contents)));
    await vscode.commands.executeCommand('vscode.open', uri);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { bytes, modified } = this.#read(uri);
    const { length } = await bytes;
    return {
      type: vscode.FileType.File,
      ctime: modified,
      mtime: modified,
      size: length,
      permissions: vscode.FilePermission.Readonly,
    };
  }

  read(uri: vscode.Uri): Promise<Uint8Array> {
    return this.#read(uri).bytes;
  }

  #read(uri: vscode.Uri): Kept {
    return this.#kept.get(uri.toString()) ?? this.#keep(uri, this.#bytes(uri));
  }

  #keep(uri: vscode.Uri, bytes: Promise<Uint8Array>): Kept {
    const key = uri.toString();
    const kept = { bytes, modified: Date.now() };
    this.#kept.set(key, kept);
    const forget = (): void => {
      if (this.#kept.get(key) === kept) this.#kept.delete(key);
    };
    bytes.then(() => systemClock.schedule(KEEP_MS, forget), forget);
    return kept;
  }

  async #bytes(uri: vscode.Uri): Promise<Uint8Array> {
    const resource = resourceOf(uri);
    if (!resource) throw vscode.FileSystemError.FileNotFound(uri);
    try {
      return documentBytes(await this.#contents(resource));
    } catch (error) {
      const denied = error instanceof SwitchboardError && error.code === 'denied';
      if (denied) throw vscode.FileSystemError.NoPermissions(messageOf(error));
      throw vscode.FileSystemError.Unavailable(messageOf(error));
    }
  }

  #contents(resource: ResourceId): Promise<readonly ResourceContent[]> {
    const isUsersAct = this.#opened.has(keyOf(resource));
    return readContents(this.#host, { ...resource, surface: 'editor', signal: this.#ending.signal, isUsersAct });
  }

  /** One document or several: the same resource may be open under two types. */
  #refresh({ server, uri }: ResourceId): void {
    for (const document of openDocuments()) {
      const resource = resourceOf(document);
      if (resource?.server !== server || resource.uri !== uri) continue;
      this.#kept.delete(document.toString());
      this.#changed(document);
    }
  }

  dispose(): void {
    this.#ending.abort();
    this.#disposables.dispose();
  }
}

function keyOf({ server, uri }: ResourceId): string {
  return JSON.stringify([server, uri]);
}

/** The type that a document's name is to show, where all parts have one. */
function typeOf(contents: readonly ResourceContent[]): string | undefined {
  const [first, ...rest] = contents;
  if (rest.length > 0) return 'text/plain';
  return first?.mimeType ?? (first?.kind === 'text' ? 'text/plain' : undefined);
}

/** The addresses of the resources in the editor's tabs. */
function openDocuments(): readonly vscode.Uri[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) => {
      const isDocument = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
      return isDocument && input.uri.scheme === RESOURCE_SCHEME ? [input.uri] : [];
    }),
  );
}
