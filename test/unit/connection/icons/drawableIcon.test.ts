import { strict as assert } from 'node:assert';
import { drawableIcon, iconInDataUrl, MAX_ICON_BYTES } from '../../../../src/connection/icons/drawableIcon.ts';
import { iconAddress } from '../../../../src/connection/icons/iconAddress.ts';
import { dataUrl, jpegOf, MOVING_WEBP, pngOf, SVG, webpOf } from '../../../support/pictures.ts';

describe('icons that are drawn', () => {
  it('are still PNG, JPEG and WebP, by their bytes and whatever type is said', () => {
    const types = [pngOf(16, 16), jpegOf(32, 24), webpOf(48, 48)].map((bytes) => drawableIcon(bytes)?.mimeType);
    assert.deepEqual(types, ['image/png', 'image/jpeg', 'image/webp']);
    assert.equal(iconInDataUrl(dataUrl('image/svg+xml', pngOf(16, 16)))?.mimeType, 'image/png');
  });

  it('are none that move, have scripts or are no picture', () => {
    const moving = pngOf(16, 16, ['acTL', Buffer.alloc(8)]);
    const others = [
      moving,
      MOVING_WEBP,
      SVG,
      Buffer.from('GIF89a\x10\0\x10\0'),
      Buffer.from('<html>'),
      Buffer.alloc(0),
    ];
    assert.deepEqual(
      others.map((bytes) => drawableIcon(bytes)),
      others.map(() => undefined),
    );
    assert.equal(iconInDataUrl(dataUrl('image/png', SVG)), undefined);
    assert.equal(iconInDataUrl('data:image/png,%89PNG'), undefined, 'only base64');
  });

  it('are small, in bytes and in pixels, also where they end before they should', () => {
    assert.ok(drawableIcon(pngOf(1024, 1024)));
    assert.equal(drawableIcon(pngOf(1025, 1)), undefined);
    assert.equal(drawableIcon(pngOf(0, 16)), undefined);
    assert.equal(drawableIcon(jpegOf(65_535, 65_535)), undefined);
    assert.equal(drawableIcon(webpOf(16_384, 1)), undefined);
    assert.equal(drawableIcon(Buffer.concat([pngOf(16, 16), Buffer.alloc(MAX_ICON_BYTES)])), undefined);
    for (const whole of [pngOf(16, 16), jpegOf(16, 16), webpOf(16, 16)])
      for (let length = 0; length < 16; length += 1) assert.equal(drawableIcon(whole.subarray(0, length)), undefined);
  });
});

describe('addresses of icons', () => {
  const server = 'https://mcp.example.com/v1/mcp';

  it('are in themselves, or at the server that names them', () => {
    assert.equal(iconAddress('data:image/png;base64,AA==', undefined)?.kind, 'data');
    assert.equal(iconAddress('https://mcp.example.com/icon.png', server)?.kind, 'own');
  });

  it('are nowhere else', () => {
    const strangers = [
      'https://example.com/icon.png',
      'https://mcp.example.com.evil.example/icon.png',
      'https://mcp.example.com:8443/icon.png',
      'http://mcp.example.com/icon.png',
      'https://user@mcp.example.com/icon.png',
      '//mcp.example.com/icon.png',
      '/icon.png',
      'file:///etc/passwd',
      'data:text/html;base64,AA==',
      'javascript:alert(1)',
      'command:workbench.action.quit',
      'vscode-resource://x/icon.png',
    ];
    for (const src of strangers) assert.equal(iconAddress(src, server), undefined, src);
    assert.equal(iconAddress('https://mcp.example.com/icon.png', undefined), undefined, 'of a server on this machine');
    assert.equal(iconAddress('https://a.example/i.png', '${input:address}'), undefined);
  });
});
