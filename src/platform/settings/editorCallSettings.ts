import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { isRecord, stableStringify } from '../../base/json/json.ts';
import type { KeyValueStore } from '../../base/keyValueStore.ts';
import { approveHooks, isHookApproved } from '../../calls/hooks/hookApproval.ts';
import { hasHooks, joinedHooks, readHooks } from '../../calls/hooks/hookSettings.ts';
import { HOOK_FAILURES, type HookGroups } from '../../calls/hooks/hookTypes.ts';
import {
  ANNOTATION_TRUST,
  APPROVAL_MODES,
  DEFAULT_CALL_SETTINGS,
  type AnnotationTrust,
  type CallSettings,
} from '../../calls/callSettings.ts';
import {
  CAUTIOUS_RULES,
  readPermissionRules,
  type PermissionRule,
  type RuleProblem,
} from '../../config/rules/permissionRules.ts';
import { managedFilePath } from '../../config/ownSources.ts';
import { chosenNumber } from './chosenNumber.ts';
import { ownValues, SECTION, setAt } from './ownSettings.ts';
import { retryVariables } from './retryVariables.ts';

/** The settings about calls. Read once and kept until a setting, the trust or an approval changes. */
export class EditorCallSettings implements Disposable {
  readonly #store: KeyValueStore;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  /** Fires when a setting may have changed. */
  readonly onDidChange: vscode.Event<void> = this.#changed.event;
  #current: CallSettings | undefined;
  #problems: readonly RuleProblem[] = [];
  #managed: readonly PermissionRule[] = [];
  #fileHooks: HookGroups = joinedHooks([]);
  /** What the user didn't write for this extension: hooks of the workspace and of other clients. */
  #foreignHooks: HookGroups = joinedHooks([]);

  /** @param store of the workspace: keeps which of its hooks were approved */
  constructor(store: KeyValueStore) {
    this.#store = store;
    const reset = (): void => {
      this.#current = undefined;
      this.#changed.fire();
    };
    this.#disposables.add(
      vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(SECTION) && reset()),
    );
    this.#disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(reset));
    this.#disposables.add(vscode.workspace.onDidChangeWorkspaceFolders(reset));
    if (fs.existsSync(managedFilePath(process))) {
      this.#managed = CAUTIOUS_RULES;
      void this.readManagedFile();
    }
  }

  /** Reads the rules of the organization's file again. If it can't be read, every call asks. */
  async readManagedFile(): Promise<void> {
    const file = managedFilePath(process);
    const before = this.#managed;
    try {
      const { readSourceFile } = await import('../../config/sources/readSourceFile.ts');
      const text = await readSourceFile(
        { id: `enterprise:${file}`, scope: 'enterprise', format: 'mcp', label: file, file },
        process.platform,
      );
      this.#managed =
        text === undefined ? [] : (await import('../../calls/policy/rules/managedRules.ts')).managedRules(text);
    } catch {
      this.#managed = CAUTIOUS_RULES;
    }
    if (stableStringify(before) === stableStringify(this.#managed)) return;
    this.#current = undefined;
    this.#changed.fire();
  }

  read(): CallSettings {
    this.#current ??= this.#read();
    return this.#current;
  }

  /** Problems of the rules. */
  get problems(): readonly RuleProblem[] {
    this.read();
    return this.#problems;
  }

  /** The hooks of the workspace and of other clients that need approval; `undefined` if there are none. */
  get hooksToApprove(): HookGroups | undefined {
    this.read();
    const hooks = this.#foreignHooks;
    return vscode.workspace.isTrusted && hasHooks(hooks) && !isHookApproved(this.#store, hooks) ? hooks : undefined;
  }

  /** @param hooks as the user saw them; `undefined`: none of the workspace runs until they are approved again */
  async approveHooks(hooks: HookGroups | undefined): Promise<void> {
    await approveHooks(this.#store, hooks);
    this.#current = undefined;
    this.#changed.fire();
  }

  /** The hooks of the workspace and of other clients that the user approved; `undefined` if there are none. */
  get approvedHooks(): HookGroups | undefined {
    this.read();
    const hooks = this.#foreignHooks;
    return hasHooks(hooks) && isHookApproved(this.#store, hooks) ? hooks : undefined;
  }

  get hasFileHooks(): boolean {
    return hasHooks(this.#fileHooks);
  }

  /** The hooks of files of other clients, which need approval, too. Returns whether they changed. */
  setFileHooks(hooks: HookGroups): boolean {
    if (stableStringify(hooks) === stableStringify(this.#fileHooks)) return false;
    this.#fileHooks = hooks;
    this.#current = undefined;
    this.#changed.fire();
    return true;
  }

  #read(): CallSettings {
    const own = ownValues();
    const number = (minimum: number, name: string, fallback: number, environment?: unknown): number =>
      chosenNumber({ set: own(name), environment, fallback, minimum });
    const users = readPermissionRules(own('permissions.rules'), 'user');
    const shared = workspaceValues('permissions.rules').map((value) => readPermissionRules(value, 'workspace'));
    this.#problems = [users, ...shared].flatMap(({ problems }) => problems);
    const userHooks = readHooks(own('hooks'), 'user');
    const theirs = joinedHooks([workspaceHooks(), this.#fileHooks]);
    this.#foreignHooks = theirs;
    const usable = vscode.workspace.isTrusted && isHookApproved(this.#store, theirs) ? theirs : undefined;
    const patterns = own('planMode.writePatterns');
    const auditFile = own('history.auditFile');
    const retry = retryVariables(process.env['MCP_RETRY_CONFIG']);
    return {
      rules: [...this.#managed, ...[users, ...shared].flatMap(({ rules }) => rules)],
      approvalMode: oneOf(APPROVAL_MODES, own('approvalMode'), 'policy'),
      trustAnnotations: readTrust(own('trustAnnotations')),
      writePatterns: Array.isArray(patterns)
        ? patterns.filter((pattern) => typeof pattern === 'string')
        : DEFAULT_CALL_SETTINGS.writePatterns,
      hooks: joinedHooks([userHooks, ...(usable ? [usable] : [])]),
      hookFailure: oneOf(HOOK_FAILURES, own('hookFailure'), 'block'),
      retry: {
        maxAttempts: number(1, 'retry.maxAttempts', 3, retry['maxAttempts']),
        initialDelayMs: number(0, 'retry.initialDelayMs', 500, retry['initialDelayMs']),
        multiplier: number(1, 'retry.multiplier', 2, retry['multiplier']),
        maxDelayMs: number(0, 'retry.maxDelayMs', 8_000, retry['maxDelayMs']),
      },
      maxResultTokens: number(500, 'maxResultTokens', 25_000, process.env['MAX_MCP_OUTPUT_TOKENS']),
      callConcurrency: number(0, 'callConcurrency', 0),
      handOverMs: number(0, 'tasks.handOverAfter', 20) * 1_000,
      historyContent: own('history.content') === true,
      ...(typeof auditFile === 'string' && auditFile !== '' ? { auditFile: expanded(auditFile) } : {}),
    };
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

function workspaceHooks(): HookGroups {
  return joinedHooks(workspaceValues('hooks').map((value) => readHooks(value, 'workspace')));
}

/** The values in the settings files of the workspace and its folders. */
function workspaceValues(name: string): readonly unknown[] {
  const values = [undefined, ...(vscode.workspace.workspaceFolders ?? [])].map((folder) => {
    const set = setAt(SECTION, folder);
    return folder ? set.folder(name) : set.workspace(name);
  });
  // In a window with one folder both are the same.
  const texts = values.map((value) => stableStringify(value));
  return values.filter((value, index) => value !== undefined && texts.indexOf(texts[index] ?? '') === index);
}

function readTrust(value: unknown): CallSettings['trustAnnotations'] {
  const entries = Object.entries(isRecord(value) ? value : {});
  return Object.fromEntries(
    // An invalid value trusts nothing.
    entries.map(([name, trust]): [string, AnnotationTrust] => [name, oneOf(ANNOTATION_TRUST, trust, 'none')]),
  );
}

function oneOf<T extends string>(values: readonly T[], value: unknown, fallback: T): T {
  return values.find((each) => each === value) ?? fallback;
}

function expanded(file: string): string {
  return file.startsWith('~/') ? path.join(os.homedir(), file.slice(2)) : file;
}
