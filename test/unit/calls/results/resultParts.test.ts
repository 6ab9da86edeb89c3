import { strict as assert } from 'node:assert';
import { SwitchboardError } from '../../../../src/base/errors.ts';
import { MAX_ERROR_LENGTH } from '../../../../src/calls/results/cleanText.ts';
import { resultParts } from '../../../../src/calls/results/resultParts.ts';
import type { ToolCallResult } from '../../../../src/connection/connectionTypes.ts';

const parts = (result: Partial<ToolCallResult>): unknown[] =>
  resultParts({ content: [], isError: false, ...result }, 'mcp__a__b').map((part) =>
    part.kind === 'text' ? part.text : `${part.mimeType}:${Buffer.from(part.data).toString()}`,
  );

describe('results', () => {
  it('shows structured content where there is no text', () => {
    assert.deepEqual(parts({ structuredContent: { a: 1 } }), ['{"a":1}']);
  });

  it('gives text or structured content, never both', () => {
    const text = { type: 'text', text: '{\n "b": 2, "a": 1 }' };
    assert.deepEqual(parts({ content: [text], structuredContent: { a: 1, b: 2 } }), ['{"a":1,"b":2}']);
    assert.deepEqual(parts({ content: [{ type: 'text', text: 'It is 21 °C.' }], structuredContent: { t: 21 } }), [
      'It is 21 °C.',
    ]);
  });

  it('gives images and audio as data, not as text', () => {
    const data = Buffer.from('png').toString('base64');
    assert.deepEqual(parts({ content: [{ type: 'image', data, mimeType: 'image/png' }] }), ['image/png:png']);
  });

  it('describes resources and blocks of an unknown type', () => {
    assert.deepEqual(
      parts({
        content: [
          { type: 'resource_link', uri: 'file:///a', name: 'A' },
          { type: 'resource', resource: { uri: 'x://b', text: 'body' } },
          { type: 'resource', resource: { uri: 'x://c', blob: 'AA==', mimeType: 'application/zip' } },
          { type: 'hologram' },
        ],
      }),
      [
        'Resource file:///a (A)',
        'Resource x://b:\nbody',
        'Resource x://c (application/zip), not shown',
        '(a content block of unknown type "hologram" was omitted)',
      ],
    );
  });

  it('never gives nothing', () => assert.deepEqual(parts({}), ['(the tool returned an empty result)']));

  it('makes an error of isError, with its text, cut', () => {
    const failing = { content: [{ type: 'text', text: 'x'.repeat(20_000) }], isError: true };
    assert.throws(
      () => resultParts(failing, 'mcp__a__b'),
      (error) =>
        error instanceof SwitchboardError &&
        error.code === 'tool-error' &&
        error.message.startsWith('mcp__a__b failed: xxx') &&
        error.message.length <= MAX_ERROR_LENGTH,
    );
  });
});
