import { strict as assert } from 'node:assert';
import { parseExact } from '../../../../src/base/json/exactJson.ts';
import { SwitchboardError } from '../../../../src/base/errors.ts';
import { MAX_ERROR_LENGTH } from '../../../../src/calls/results/cleanText.ts';
import { atOnce } from '../../../../src/base/timeSlices.ts';
import { resultParts } from '../../../../src/calls/results/resultParts.ts';
import type { ToolCallResult } from '../../../../src/connection/connectionTypes.ts';

const parts = (result: Partial<ToolCallResult>): unknown[] =>
  atOnce(resultParts({ content: [], isError: false, ...result }, 'mcp__a__b')).map((part) =>
    part.kind === 'text' ? part.text : `${part.mimeType}:${Buffer.from(part.data).toString()}`,
  );

describe('results', () => {
  it('shows structured content where there is no text', () => {
    assert.deepEqual(parts({ structuredContent: { a: 1 } }), ['{"a":1}']);
  });

  it('gives structured content once, where no text has it already', () => {
    const text = { type: 'text', text: '{\n "b": 2, "a": 1 }' };
    assert.deepEqual(parts({ content: [text], structuredContent: { a: 1, b: 2 } }), ['{"b":2,"a":1}']);
    const says = (said: string, structuredContent: object): unknown[] =>
      parts({ content: [{ type: 'text', text: said }], structuredContent });
    assert.deepEqual(says('It is 21 °C.', { t: 21 }), ['It is 21 °C.']);
    assert.deepEqual(says('hello', { result: 'hello' }), ['hello']);
    assert.deepEqual(says('say "hi"\nto me', { result: 'say "hi"\nto me' }), ['say "hi"\nto me']);
    assert.deepEqual(says('2 found', { found: ['a', 'b'] }), ['2 found', '{"found":["a","b"]}']);
  });

  it('keeps the digits of numbers', () => {
    const exact = (json: string): Partial<ToolCallResult> => parseExact(json) as Partial<ToolCallResult>;
    const structured = '{"id":1915883588174806058,"price":1.10,"eps":1e400,"zero":-0,"s":"1e400"}';
    assert.deepEqual(parts(exact(`{"structuredContent":${structured}}`)), [structured]);
    const text = { type: 'text', text: structured.replaceAll(',', ', ') };
    assert.deepEqual(parts({ ...exact(`{"structuredContent":${structured}}`), content: [text] }), [structured]);
    // A server that has lost digits itself says them right in its text.
    assert.deepEqual(
      parts({
        structuredContent: { id: 1915883588174806000 },
        content: [{ type: 'text', text: '{"id":1915883588174806058}' }],
      }),
      ['{"id":1915883588174806058}'],
    );
    const summary = { type: 'text', text: 'one found' };
    assert.deepEqual(parts({ ...exact('{"structuredContent":{"id":1915883588174806058}}'), content: [summary] }), [
      'one found',
      '{"id":1915883588174806058}',
    ]);
  });

  const bytes = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');
  const IMAGES: readonly (readonly [what: string, data: string, mimeType: string, shown: RegExp])[] = [
    ['a PNG', bytes('89504e470d0a1a0a'), 'image/png', /^image\/png:/],
    ['a JPEG said to be a PNG', bytes('ffd8ffe000104a46'), 'image/png', /^image\/jpeg:/],
    ['a JPEG of type image/jpg', bytes('ffd8ffe000104a46'), 'image/jpg', /^image\/jpeg:/],
    ['a GIF without a type', Buffer.from('GIF89a').toString('base64'), '', /^image\/gif:/],
    ['a WebP', Buffer.from('RIFF....WEBP').toString('base64'), 'image/webp; q=1', /^image\/webp:/],
    ['a data URL', `data:image/jpeg;base64,${bytes('89504e470d0a1a0a')}`, 'image/png', /^image\/png:/],
    ['base64 with line breaks', `\n${bytes('89504e470d0a1a0a')}\r\n`, 'image/png', /^image\/png:/],
    ['base64 for URLs', 'iVBORw0KGgr-_w', 'image/png', /^image\/png:|that is text/],
    ['an SVG', Buffer.from('<svg/>').toString('base64'), 'image/svg+xml', /^\(image\/svg\+xml\)\n<svg\/>$/],
    [
      'an SVG said to be a PNG',
      Buffer.from('<?xml version="1.0"?>\n<svg/>').toString('base64'),
      'image/png',
      /svg\+xml\)/,
    ],
    ['an SVG as it is', '<svg/>', 'image/svg+xml', /isn't base64\)\n<svg\/>$/],
    ['a TIFF', bytes('49492a00'), 'image/tiff', /^\(image\/tiff, 4 bytes, a format that models can’t see\)$/],
    ['a BMP said to be a PNG', bytes('424d000000ff'), 'image/png', /^\(image\/bmp, /],
    ['an AVIF', bytes('0000001c6674797061766966'), 'image/avif', /^\(image\/avif, /],
    ['a HEIC', bytes('000000186674797068656963'), 'image/heic', /^\(image\/heic, /],
    ['nothing', '', 'image/png', /^\(image\/png without any bytes\)$/],
    [
      'an error in place of an image',
      Buffer.from('Error: no display').toString('base64'),
      'image/png',
      /that is text\)\nError: no display$/,
    ],
    [
      'bytes that are no image',
      bytes('00ff00ff'),
      'image/png',
      /^\(image\/png, 4 bytes, no image that can be decoded\)$/,
    ],
    ['a URL', 'https://example.com/a.png', 'image/png', /isn't base64\)\nhttps:/],
    ['a PDF', Buffer.from('%PDF-1.7').toString('base64'), 'image/png', /^\(application\/pdf, /],
  ];
  for (const [what, data, mimeType, shown] of IMAGES) {
    it(`goes by the bytes of an image: ${what}`, () => {
      const [only, ...rest] = parts({ content: [{ type: 'image', data, mimeType }] });
      assert.match(String(only), shown);
      assert.deepEqual(rest, []);
    });
  }

  it('gives sounds as data', () => {
    const data = Buffer.from('OggS').toString('base64');
    assert.deepEqual(parts({ content: [{ type: 'audio', data, mimeType: 'audio/x-vorbis' }] }), ['audio/ogg:OggS']);
  });

  it('describes resources, and shows blocks of an unknown type as JSON', () => {
    assert.deepEqual(
      parts({
        content: [
          { type: 'resource_link', uri: 'file:///a', name: 'A' },
          { type: 'resource', resource: { uri: 'x://b', text: 'body' } },
          { type: 'resource', resource: { uri: 'x://c', blob: 'AP8=', mimeType: 'application/zip' } },
          {
            type: 'resource',
            resource: { uri: 'x://d', blob: Buffer.from('{}').toString('base64'), mimeType: 'application/json' },
          },
          { type: 'resource', resource: { uri: 'x://e', blob: Buffer.from('GIF89a').toString('base64') } },
          { type: 'hologram', depth: 1 },
        ],
      }),
      [
        'Resource file:///a (A)',
        'Resource x://b:\nbody',
        'Resource x://c (application/zip, 2 bytes, not shown)',
        'Resource x://d (application/json)\n{}',
        'Resource x://e (image/gif):',
        'image/gif:GIF89a',
        '{"type":"hologram","depth":1}',
      ],
    );
  });

  it('never gives nothing', () => assert.deepEqual(parts({}), ['(the tool returned an empty result)']));

  it('makes an error of isError, with its text, cut', () => {
    const failing = { content: [{ type: 'text', text: 'x'.repeat(20_000) }], isError: true };
    assert.throws(
      () => atOnce(resultParts(failing, 'mcp__a__b')),
      (error) =>
        error instanceof SwitchboardError &&
        error.code === 'tool-error' &&
        error.message.startsWith('mcp__a__b failed: xxx') &&
        error.message.length <= MAX_ERROR_LENGTH,
    );
  });
});
