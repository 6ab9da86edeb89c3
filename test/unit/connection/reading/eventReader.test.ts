import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { atOnce } from '../../../../src/base/timeSlices.ts';
import { EventReader } from '../../../../src/connection/reading/eventReader.ts';

/** The stream as it is written again; events with data that begins with `{` are replaced. */
function through(pieces: readonly string[]): string {
  const reader = new EventReader(
    // eslint-disable-next-line require-yield
    function* (_name, data) {
      return data.startsWith('{') ? [`<${data.length}>`, '<second>'] : undefined;
    },
    () => undefined,
  );
  return pieces.map((piece) => atOnce(reader.push(piece))).join('') + atOnce(reader.end());
}

describe('a stream of events', () => {
  it('is read the same in any pieces', () => {
    const line = fc.constantFrom('data: {', 'data:x', 'data', ': ping', 'event: endpoint', 'id: 7', 'retry: 5', '', '');
    const stream = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 12 });
    fc.assert(
      fc.property(stream, fc.array(fc.nat(200), { maxLength: 5 }), (lines, cuts) => {
        const text = lines.map((each) => each.join('')).join('');
        const ends = [
          0,
          ...cuts.map((cut) => Math.min(cut, text.length)).sort((one, other) => one - other),
          text.length,
        ];
        const pieces = ends.slice(1).map((end, index) => text.slice(ends[index], end));
        assert.equal(through(pieces), through([text]));
      }),
    );
  });

  it('keeps what is no message: comments, ids, other events', () => {
    const text = ': ping\n\nretry: 1000\nid: 1\nevent: endpoint\ndata: /messages\n\n';
    assert.equal(through([text]), text);
  });

  it('has a stream that wants to be taken up at once wait', () => {
    assert.equal(through(['retry: 0\n\n']), 'retry: 250\n\n');
  });

  it('has several events in place of one, and takes a last event that doesn’t end', () => {
    assert.equal(through(['event: message\ndata: {"a":1}\n\n']), 'data: <7>\n\ndata: <second>\n\n');
    assert.equal(through(['data: {"a":\ndata: 1}']), 'data: <8>\n\ndata: <second>\n\n');
  });
});
