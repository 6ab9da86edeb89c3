import * as vscode from 'vscode';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { Debouncer } from '../../base/async.ts';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import { fillForm, type FieldAnswer } from '../../bridge/serverQuestions/formSteps.ts';

/** An argument of a prompt or a template. All values are strings. */
export interface ArgumentField {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
}

export interface ArgumentSteps {
  /** What is filled in. */
  readonly title: string;
  readonly fields: readonly ArgumentField[];
  /** Values that complete the input; absent if the server has no completion. */
  readonly complete?: (
    field: ArgumentField,
    value: string,
    others: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ) => Promise<readonly string[]>;
}

/** Waits for further typing. */
const COMPLETION_DELAY_MS = 120;

const { t } = vscode.l10n;

/** Asks for one argument after another, with proposals. *Back* in the first step returns `back`, closing returns `cancel`. */
export async function askArguments({
  title,
  fields,
  complete,
}: ArgumentSteps): Promise<Readonly<Record<string, string>> | 'back' | 'cancel'> {
  const filled = await fillForm(fields, async (field, index, known, others) => {
    const step: Step = {
      title: `${plainText(title)}: ${plainText(field.name)}${field.required ? ' *' : ''} (${index + 1}/${fields.length})`,
      placeholder: [
        field.required ? t('Required.') : t('Optional.'),
        ...(field.description === undefined ? [] : [plainText(field.description)]),
      ].join(' '),
      value: typeof known === 'string' ? known : '',
      required: field.required,
    };
    const texts = Object.fromEntries([...others].map(([name, value]) => [name, String(value)]));
    return complete
      ? askWithProposals(step, (value, signal) => complete(field, value, texts, signal))
      : askPlainly(step);
  });
  if (typeof filled === 'string') return filled === 'back' ? 'back' : 'cancel';
  return filled as Readonly<Record<string, string>>;
}

interface Step {
  readonly title: string;
  readonly placeholder: string;
  readonly value: string;
  readonly required: boolean;
}

async function askPlainly(step: Step): Promise<FieldAnswer> {
  const input = vscode.window.createInputBox();
  input.prompt = step.placeholder;
  return shown(input, step, (accepted) => {
    input.onDidChangeValue(() => (input.validationMessage = undefined));
    input.onDidAccept(() => {
      if (step.required && input.value === '') input.validationMessage = t('Enter a value.');
      else accepted(input.value);
    });
  });
}

interface Proposal extends vscode.QuickPickItem {
  readonly value: string;
}

async function askWithProposals(
  step: Step,
  complete: (value: string, signal: AbortSignal) => Promise<readonly string[]>,
): Promise<FieldAnswer> {
  const pick = vscode.window.createQuickPick<Proposal>();
  pick.placeholder = step.placeholder;
  let asking = new AbortController();
  let known: readonly string[] = [];
  const show = (proposals: readonly string[]): void => {
    const typed = pick.value;
    const others = proposals.filter((value) => value !== typed);
    const nothing = { label: t('(leave empty)'), value: '' };
    const own = typed === '' ? (step.required ? [] : [nothing]) : [{ label: plainText(typed), value: typed }];
    const items = others.map((value) => ({ label: plainText(value), value }));
    // The typed value comes first, so that Enter takes it; an empty value comes after the proposals.
    const next = (typed === '' ? [...items, ...own] : [...own, ...items]).map((item) => ({
      ...item,
      alwaysShow: true,
    }));
    // Setting the same items again would move the selection to the first.
    const isSame = next.length === pick.items.length && next.every(({ value }, at) => value === pick.items[at]?.value);
    if (!isSame) pick.items = next;
  };
  const update = async (): Promise<void> => {
    asking.abort();
    const mine = (asking = new AbortController());
    pick.busy = true;
    const proposals = await complete(pick.value, mine.signal);
    if (mine.signal.aborted) return;
    pick.busy = false;
    known = proposals;
    show(proposals);
  };
  const debounced = new Debouncer(COMPLETION_DELAY_MS, systemClock, () => void update());
  try {
    return await shown(pick, step, (accepted) => {
      show([]);
      void update();
      pick.onDidChangeValue(() => {
        // Until the server answers, show its earlier proposals that still match.
        show(known.filter((value) => value.toLowerCase().startsWith(pick.value.toLowerCase())));
        debounced.trigger();
      });
      pick.onDidAccept(() => {
        const [item] = pick.selectedItems;
        if (item && !(step.required && item.value === '')) accepted(item.value);
      });
    });
  } finally {
    asking.abort();
    debounced.dispose();
  }
}

/** Shows an input until it is accepted, left with *Back*, or closed. */
async function shown(
  input: vscode.InputBox | vscode.QuickPick<Proposal>,
  { title, value }: Step,
  begin: (accepted: (value: string) => void) => void,
): Promise<FieldAnswer> {
  const store = new DisposableStore();
  store.add(input);
  input.title = title;
  input.value = value;
  input.ignoreFocusOut = true;
  input.buttons = [vscode.QuickInputButtons.Back];
  try {
    return await ownInputs.ask(
      () =>
        new Promise<FieldAnswer>((resolve) => {
          store.add(input.onDidTriggerButton(() => resolve({ kind: 'back' })));
          store.add(input.onDidHide(() => resolve({ kind: 'cancel' })));
          begin((text) => resolve({ kind: 'value', value: text === '' ? undefined : text }));
          input.show();
        }),
    );
  } finally {
    store.dispose();
  }
}
