import { HIDDEN_RUN } from '../../../../base/text/showInvisible.ts';
import type { FormField, Json } from '../../forms/formField.ts';
import { initialValue, parseJson, withValue, type Path } from '../../forms/formValue.ts';
import type { FormBlock } from '../../pageContent.ts';
import { drawField } from './drawField.ts';
import { actionButtons, element } from '../elements.ts';
import type { PageView } from '../pageView.ts';

/** A form as its fields are drawn. */
export interface OpenForm {
  readonly view: PageView;
  readonly block: FormBlock;
  readonly place: string;
  /** What is filled in; `undefined` takes out what is at the path. @param isTyped nothing else looks different for it */
  set(path: Path, value: Json | undefined, isTyped: boolean): void;
}

/** A form, and beside it the JSON that it makes: either follows the other. */
export function drawForm(view: PageView, block: FormBlock, place: string): HTMLElement {
  const { id, title, field, problems, words } = block;
  const draft = view.state.drafts[id] ?? jsonText(block.value ?? initialValue(field) ?? {});
  let value = parseJson(draft);
  const warning = element('p', { class: 'problem', role: 'status' }, value === undefined ? words.notJson : '');
  const text = element('textarea', {
    id: `json-${place}`,
    'data-key': `json ${id}`,
    class: 'code',
    spellcheck: 'false',
    rows: String(Math.min(24, Math.max(6, draft.split('\n').length))),
  });
  text.value = draft;
  const form: OpenForm = {
    view,
    block,
    place,
    set: (path, next, isTyped) => {
      value = withValue(value, path, next);
      text.value = jsonText(value ?? {});
      warning.textContent = '';
      view.fill(id, text.value, isTyped);
    },
  };
  text.addEventListener('input', () => {
    const written = parseJson(text.value);
    warning.textContent = written === undefined ? words.notJson : '';
    if (written !== undefined) value = written;
    view.fill(id, text.value, true);
  });
  // The fields follow when the person has written: not with each key.
  text.addEventListener('change', () => view.fill(id, text.value, false));
  const fields = element('div', { class: 'fields' }, ...rootFields(form, field, value));
  const submit = (action: string): void => view.send({ type: 'submit', form: id, action, text: text.value });
  return element(
    'section',
    { 'aria-labelledby': `heading-${place}` },
    element('h2', { id: `heading-${place}` }, title),
    element(
      'div',
      { class: 'form' },
      fields,
      element('div', { class: 'raw' }, element('label', { for: text.id }, words.json), text, warning),
    ),
    element('div', { role: 'status' }, ...problemList(problems)),
    element('p', { class: 'actions' }, ...actionButtons(block.actions, submit)),
  );
}

function problemList(problems: readonly string[]): readonly HTMLElement[] {
  if (problems.length === 0) return [];
  return [element('ul', { class: 'problems' }, ...problems.map((problem) => element('li', {}, problem)))];
}

function rootFields(form: OpenForm, field: FormField, value: Json | undefined): readonly HTMLElement[] {
  if (field.kind !== 'object') return [drawField(form, field, value, [], true)];
  if (field.members.length === 0) return [element('p', { class: 'quiet' }, form.block.words.none)];
  return field.members.map((member) =>
    drawField(form, member.field, memberOf(value, member.key), [member.key], member.isRequired),
  );
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as { readonly [name: string]: Json })[key]
    : undefined;
}

const HIDDEN = new RegExp(HIDDEN_RUN, 'gu');

/** JSON as a person edits it: what hides in its texts is written as JSON writes characters. */
function jsonText(value: Json): string {
  return JSON.stringify(value, undefined, 2).replaceAll(HIDDEN, (run) =>
    run.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}
