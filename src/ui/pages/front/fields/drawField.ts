import type { FormField, Json, ListField, ObjectField, WaysField } from '../../forms/formField.ts';
import { blankValue, isObject, isSame, parseJson, wayOf, type Path } from '../../forms/formValue.ts';
import type { OpenForm } from './drawForm.ts';
import { fitsLine } from './fitsLine.ts';
import { button, element } from '../elements.ts';

/** A field with its label, and the fields in it. */
export function drawField(
  form: OpenForm,
  field: FormField,
  value: Json | undefined,
  path: Path,
  isRequired: boolean,
  name = field.label,
): HTMLElement {
  const key = `${form.block.id} ${JSON.stringify(path)}`;
  const id = `field-${form.place}-${path.map((each) => encodeURIComponent(each)).join('.')}`;
  const label = name || String(path.at(-1) ?? '');
  const detail = field.detail === '' ? [] : [element('p', { id: `${id}-detail`, class: 'quiet detail' }, field.detail)];
  const about = field.detail === '' ? {} : { 'aria-describedby': `${id}-detail` };
  const marked = { class: isRequired ? 'required' : undefined };
  const base = { id, 'data-key': key, 'aria-required': isRequired ? 'true' : undefined, ...about };
  if (field.kind === 'object' || field.kind === 'list' || field.kind === 'ways') {
    const legend = element('legend', marked, label);
    const shown =
      value === undefined || value === null
        ? [notThere(form, field, path, key, label)]
        : inner(form, field, value, path, key, label, isRequired);
    return element('fieldset', about, legend, ...detail, ...shown);
  }
  return element(
    'div',
    { class: 'field' },
    element('label', { for: id, ...marked }, label),
    ...detail,
    control(form, field, value, path, base),
  );
}

/** An object or a list that isn't there: the button begins one. */
function notThere(form: OpenForm, field: FormField, path: Path, key: string, label: string): HTMLElement {
  const { words } = form.block;
  const begin = field.kind === 'list' ? [blankValue(field.item)] : field.kind === 'object' ? {} : blankValue(field);
  return button(
    `${key} add`,
    { 'aria-label': `${words.add}: ${label}` },
    () => form.set(path, begin, false),
    words.add,
  );
}

function inner(
  form: OpenForm,
  field: ObjectField | ListField | WaysField,
  value: Json,
  path: Path,
  key: string,
  label: string,
  isRequired: boolean,
): readonly HTMLElement[] {
  const { words } = form.block;
  const remove = (at: Path, what: string): HTMLElement =>
    button(
      `${key} remove ${at.length}.${at.at(-1)}`,
      { 'aria-label': `${words.remove}: ${what}` },
      () => form.set(at, undefined, false),
      words.remove,
    );
  const whole = isRequired || path.length === 0 ? [] : [remove(path, label)];
  switch (field.kind) {
    case 'object':
      return [
        ...field.members.map((member) =>
          drawField(
            form,
            member.field,
            isObject(value) ? ownMember(value, member.key) : undefined,
            [...path, member.key],
            member.isRequired,
          ),
        ),
        ...whole,
      ];
    case 'list': {
      const items: readonly Json[] = Array.isArray(value) ? value : [];
      return [
        ...items.map((item: Json, at) => {
          const title = `${label} ${at + 1}`;
          const drawn = drawField(form, field.item, item, [...path, at], true, title);
          return element('div', { class: 'item' }, drawn, remove([...path, at], title));
        }),
        button(
          `${key} add`,
          { 'aria-label': `${words.add}: ${label}` },
          () => form.set([...path, items.length], blankValue(field.item), false),
          words.add,
        ),
        ...whole,
      ];
    }
    case 'ways': {
      const place = `${form.block.id} ${JSON.stringify(path)}`;
      const chosen = Math.min(form.view.state.ways[place] ?? wayOf(field.ways, value), field.ways.length - 1);
      const select = element('select', { 'data-key': `${key} way`, 'aria-label': `${words.variant}: ${label}` });
      select.append(
        ...field.ways.map((way, at) => element('option', { value: String(at) }, way.label || String(at + 1))),
      );
      select.value = String(chosen);
      select.addEventListener('change', () => {
        const way = field.ways[Number(select.value)];
        form.view.pickWay(place, Number(select.value));
        if (way) form.set(path, blankValue(way), false);
      });
      const way = field.ways[chosen];
      return [select, ...(way ? [drawField(form, way, value, path, true, way.label || label)] : []), ...whole];
    }
  }
}

function ownMember(value: { readonly [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

type Control = Exclude<FormField, ObjectField | ListField | WaysField>;

function control(
  form: OpenForm,
  field: Control,
  value: Json | undefined,
  path: Path,
  base: Readonly<Record<string, string | undefined>>,
): HTMLElement {
  const { words } = form.block;
  switch (field.kind) {
    case 'choice':
      return picker(form, path, base, value, field.options, field.isNullable, words.notSet);
    case 'flag': {
      const options = [true, false].map((each) => ({ label: String(each), value: each }));
      return picker(form, path, base, value, options, field.isNullable, words.notSet);
    }
    case 'number': {
      const input = element('input', {
        ...base,
        type: 'number',
        step: field.isInteger ? '1' : 'any',
        min: field.least === undefined ? undefined : String(field.least),
        max: field.most === undefined ? undefined : String(field.most),
      });
      input.value = typeof value === 'number' ? String(value) : '';
      input.addEventListener('input', () => form.set(path, input.value === '' ? undefined : Number(input.value), true));
      return input;
    }
    case 'text': {
      if (field.proposals && fitsLine(value)) return withProposals(form, path, base, value, field.proposals);
      // One line grows to several where the text has them.
      const area = element('textarea', {
        ...base,
        rows: String(typeof value === 'string' ? Math.min(12, value.split('\n').length) : 1),
      });
      area.value = typeof value === 'string' ? value : '';
      if (field.format !== '') area.placeholder = field.format;
      area.addEventListener('input', () => form.set(path, area.value === '' ? emptied(path) : area.value, true));
      return area;
    }
    case 'json': {
      const area = element('textarea', { ...base, class: 'code', rows: '3', spellcheck: 'false', placeholder: 'JSON' });
      area.value = value === undefined ? '' : JSON.stringify(value, undefined, 2);
      area.addEventListener('input', () => {
        const written = parseJson(area.value);
        area.setAttribute('aria-invalid', String(area.value !== '' && written === undefined));
        if (written !== undefined || area.value === '') form.set(path, written, true);
      });
      return area;
    }
  }
}

/** A field of one line, with a list that the browser narrows as the person types. */
function withProposals(
  form: OpenForm,
  path: Path,
  base: Readonly<Record<string, string | undefined>>,
  value: Json | undefined,
  proposals: readonly string[],
): HTMLElement {
  const list = `${base['id']}-proposals`;
  const input = element('input', { ...base, type: 'text', list, autocomplete: 'off' });
  input.value = typeof value === 'string' ? value : '';
  input.addEventListener('input', () => form.set(path, input.value === '' ? undefined : input.value, true));
  const options = proposals.map((each) => element('option', { value: each }, each));
  return element('div', {}, input, element('datalist', { id: list }, ...options));
}

/** Without a text, a member isn't there, and an item of a list is an empty text. */
function emptied(path: Path): Json | undefined {
  return typeof path.at(-1) === 'number' ? '' : undefined;
}

function picker(
  form: OpenForm,
  path: Path,
  base: Readonly<Record<string, string | undefined>>,
  value: Json | undefined,
  options: readonly { readonly label: string; readonly value: Json }[],
  isNullable: boolean,
  notSet: string,
): HTMLElement {
  const all = isNullable ? [...options, { label: 'null', value: null }] : options;
  const select = element('select', base);
  select.append(element('option', { value: '' }, notSet));
  select.append(...all.map((option, at) => element('option', { value: String(at) }, option.label)));
  const at = value === undefined ? -1 : all.findIndex((option) => isSame(option.value, value));
  select.value = at < 0 ? '' : String(at);
  select.addEventListener('change', () =>
    form.set(path, select.value === '' ? undefined : all[Number(select.value)]?.value, true),
  );
  return select;
}
