import * as vscode from 'vscode';
import { withPlainNumbers } from '../../../base/json/exactNumber.ts';
import { isRecord, type JsonObject } from '../../../base/json/json.ts';
import { oneLine } from '../../../base/text/showInvisible.ts';
import type { ResultPart } from '../../../calls/results/resultParts.ts';
import type { CatalogTool } from '../../../catalog/catalogTool.ts';
import { drawResult } from '../../../bridge/apps/drawResult.ts';
import type { Host } from '../../../host/host.ts';
import type { FormField, Json } from '../forms/formField.ts';
import { schemaForm } from '../forms/schemaForm.ts';
import type { Action, Block } from '../pageContent.ts';
import type { PageRequest } from '../pageMessages.ts';
import { compareBlock } from './compareResults.ts';
import { INSPECTOR, InspectorRuns, type InspectorRun } from './inspectorRun.ts';
import { formWords } from './events/inspectorWords.ts';
import { resultBlocks } from './resultBlocks.ts';

/** Results that can be compared. */
const KEPT_RESULTS = 10;
const EARLIER_INPUTS = 20;

/** The forms of the schemas that are shown: a page is drawn anew at each change. */
const forms = new WeakMap<JsonObject, FormField>();

function formOf(schema: JsonObject): FormField {
  const known = forms.get(schema) ?? schemaForm(withPlainNumbers(schema));
  forms.set(schema, known);
  return known;
}

/** *Tools*: a form for the arguments of one, what running it gave, and how that differs from another run. */
export class ToolsTab {
  readonly #host: Host;
  readonly #runs: InspectorRuns<readonly ResultPart[]>;
  #tool = '';
  /** Another form begins with it: its fields are those of `#value`. */
  #form = 0;
  #value: Json | undefined;
  #earlier = '';
  #problems: readonly string[] = [];
  #compared = '';

  constructor(host: Host, changed: () => void) {
    this.#host = host;
    this.#runs = new InspectorRuns(KEPT_RESULTS, changed);
  }

  /** Shows this tool, with an empty form. @param name callable */
  open(name: string): void {
    if (name === this.#tool) return;
    this.#tool = name;
    this.#runs.clear();
    this.#begin(undefined, '');
  }

  /** @param tools of the servers that are looked at */
  content(tools: readonly CatalogTool[]): readonly Block[] {
    const { t } = vscode.l10n;
    if (!tools.some(({ name }) => name === this.#tool)) this.open(tools[0]?.name ?? '');
    const tool = tools.find(({ name }) => name === this.#tool);
    if (!tool) return [{ kind: 'text', text: t('No tools available.') }];
    const isOfOne = tools.every(({ serverId }) => serverId === tool.serverId);
    const options = tools.map(({ name, serverName, tool: { name: own, title } }) => ({
      value: name,
      label: oneLine([...(isOfOne ? [] : [serverName]), own, ...(title === undefined ? [] : [title])].join(' · ')),
    }));
    return [
      { kind: 'choice', id: 'tool', label: t('Tool'), value: tool.name, options },
      ...(tool.tool.description ? [{ kind: 'text', text: tool.tool.description } as const] : []),
      ...this.#earlierInputs(),
      this.#formOf(tool),
      ...this.#results(),
    ];
  }

  async take(message: PageRequest): Promise<void> {
    if (message.type === 'choose') {
      if (message.id === 'tool') this.open(message.value);
      if (message.id === 'earlier') this.#useEarlier(message.value);
      if (message.id === 'compare') this.#compared = message.value;
    }
    if (message.type === 'act' && message.action === 'cancel') this.#runs.cancel();
    if (message.type === 'submit' && message.form === this.#formId) await this.#submit(message.action, message.text);
  }

  get #formId(): string {
    return `arguments ${this.#tool} ${this.#form}`;
  }

  #begin(value: Json | undefined, earlier: string): void {
    this.#form += 1;
    this.#value = value;
    this.#earlier = earlier;
    this.#problems = [];
  }

  #useEarlier(id: string): void {
    const call = this.#host.calls.history.repeatable(Number(id));
    this.#begin(call && call.name === this.#tool ? call.args : undefined, id);
  }

  async #submit(action: string, text: string): Promise<void> {
    const tool = this.#host.catalog.find(this.#tool);
    if (!tool) return;
    const read = readArguments(text);
    const form = this.#formId;
    const problems = typeof read === 'string' ? [read] : await this.#host.validate(tool.tool.inputSchema, read);
    // Meanwhile, another tool or another input may have been chosen.
    if (form !== this.#formId) return;
    this.#problems = problems;
    if (typeof read === 'string' || action !== 'run') return;
    // What doesn't fit the schema isn't sent: the broker would refuse it with the same words.
    if (this.#problems.length > 0) return;
    // Not awaited: the page goes on, and shows the result once it is there.
    void this.#runs.run(async (signal) => {
      const call = { name: tool.name, args: read, surface: 'editor', caller: INSPECTOR, signal } as const;
      const outcome = await this.#host.broker.call(call);
      drawResult(this.#host, tool.name, read, outcome);
      return outcome.parts;
    });
  }

  #formOf(tool: CatalogTool): Block {
    const { t } = vscode.l10n;
    const action = (id: string, label: string): Action => ({
      id,
      label,
      accessibleLabel: `${label}: ${oneLine(tool.tool.name)}`,
    });
    return {
      kind: 'form',
      id: this.#formId,
      title: t('Arguments'),
      field: formOf(tool.tool.inputSchema),
      ...(this.#value === undefined ? {} : { value: this.#value }),
      problems: this.#problems,
      actions: this.#runs.isRunning ? [] : [action('run', t('Run')), action('check', t('Validate'))],
      words: formWords(),
    };
  }

  /** Arguments of earlier calls of the tool, by whomever: what the history can run again. */
  #earlierInputs(): readonly Block[] {
    const { t } = vscode.l10n;
    const { history } = this.#host.calls;
    const known = history.entries
      .filter(({ id, tool }) => tool === this.#tool && history.repeatable(id) !== undefined)
      .slice(-EARLIER_INPUTS)
      .toReversed();
    if (known.length === 0) return [];
    const options = known.map(({ id, at, caller, result }) => ({
      value: String(id),
      label: oneLine(
        [new Date(at).toLocaleTimeString(vscode.env.language), caller ?? '', result].filter(Boolean).join(' · '),
      ),
    }));
    const none = { value: '', label: t('(not set)') };
    return [
      { kind: 'choice', id: 'earlier', label: t('Earlier input'), value: this.#earlier, options: [none, ...options] },
    ];
  }

  #results(): readonly Block[] {
    const { t } = vscode.l10n;
    if (this.#runs.isRunning) {
      const label = t('Cancel');
      return [
        { kind: 'text', text: t('Running') },
        { kind: 'buttons', actions: [{ id: 'cancel', label, accessibleLabel: label }] },
      ];
    }
    const { last, all } = this.#runs;
    if (!last) return [];
    const others = all.filter((run) => run !== last && 'value' in run.outcome).toReversed();
    const other = others.find(({ number }) => String(number) === this.#compared);
    const choice: Block = {
      kind: 'choice',
      id: 'compare',
      label: t('Compare with'),
      value: other ? this.#compared : '',
      options: [
        { value: '', label: t('(not set)') },
        ...others.map((run) => ({ value: String(run.number), label: titleOf(run) })),
      ],
    };
    return [
      { kind: 'text', text: titleOf(last) },
      ...(others.length > 0 && 'value' in last.outcome ? [choice] : []),
      ...(other ? [compareBlock(other, last)] : []),
      ...outcomeBlocks(last),
    ];
  }
}

/** The blocks of the runs that are shown. */
const outcomes = new WeakMap<InspectorRun<readonly ResultPart[]>, readonly Block[]>();

function outcomeBlocks(run: InspectorRun<readonly ResultPart[]>): readonly Block[] {
  const { outcome, number } = run;
  if ('error' in outcome) return [{ kind: 'code', title: vscode.l10n.t('Error'), text: outcome.error }];
  const blocks = outcomes.get(run) ?? resultBlocks(outcome.value, `result ${number}`);
  outcomes.set(run, blocks);
  return blocks;
}

function titleOf({ number, at, durationMs }: InspectorRun<unknown>): string {
  const time = new Date(at).toLocaleTimeString(vscode.env.language);
  return `${vscode.l10n.t('Result')} ${number} · ${time} · ${vscode.l10n.t('{0} ms', Math.round(durationMs))}`;
}

/** The arguments that a form has sent, or what is wrong with them. */
function readArguments(text: string): JsonObject | string {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? (value as JsonObject) : vscode.l10n.t('Arguments must be a JSON object.');
  } catch {
    return vscode.l10n.t('This is not valid JSON.');
  }
}
