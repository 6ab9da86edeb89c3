import * as vscode from 'vscode';
import { oneLine } from '../../../base/text/showInvisible.ts';
import type { Block, Row } from '../pageContent.ts';
import type { Timeline } from './events/timelineSpans.ts';
import { columnsOf, drawingOf } from '../tableParts.ts';

const MAX_LABEL = 200;

/** *Timeline*: the spans, drawn and as a table. @param mask takes secrets out */
export function timelineContent(
  { spans, end }: Timeline,
  nameOf: (serverId: string) => string,
  mask: (text: string) => string,
  language: string,
): readonly Block[] {
  const { t } = vscode.l10n;
  const isOfOne = spans.every(({ server }) => server === spans[0]?.server);
  const first = spans[0]?.at ?? 0;
  const rows = spans.map(({ server, label, at, durationMs, seq }): Row => {
    const of = isOfOne ? '' : ` · ${nameOf(server)}`;
    const name = oneLine(mask(label).slice(0, MAX_LABEL) + of);
    const time = new Date(at).toLocaleTimeString(language);
    // What goes on is drawn until the last event.
    const length = durationMs ?? end - at;
    return {
      key: String(seq),
      cells: [name, oneLine(nameOf(server)), time, Math.round(at - first), Math.round(length)],
      actions: [],
      children: [],
    };
  });
  return [
    {
      kind: 'table',
      id: 'timeline',
      title: t('Timeline'),
      empty: t('Nothing yet.'),
      columns: columnsOf([t('Event'), t('Server'), t('Time')], [t('From the start, ms'), t('Duration, ms')]),
      rows,
      drawings: [drawingOf('spans', t('Timeline'), [3, 'accent'], [4, 'accent'])],
    },
  ];
}
