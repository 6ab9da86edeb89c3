import { strict as assert } from 'node:assert';
import { MASK, SecretValues } from '../../../../src/base/text/secrets.ts';

/** How programs write a text into a page or into XML. */
const WRITERS: Readonly<Record<string, (text: string) => string>> = {
  'by name, as PHP and XML': named({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' }),
  'by name, as XML has the apostrophe': named({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }),
  'as Python': named({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' }),
  'as Go': named({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;', '+': '&#43;' }),
  'as Mustache': (text) =>
    text.replaceAll(/[&<>"'`=/]/g, (sign) => `&#x${sign.charCodeAt(0).toString(16).toUpperCase()};`),
  'by number': (text) => text.replaceAll(/[&<>"'`=+/]/g, (sign) => `&#${sign.charCodeAt(0)};`),
  'the least that is right': named({ '&': '&amp;', '<': '&lt;' }),
};

function named(names: Readonly<Record<string, string>>): (text: string) => string {
  return (text) => text.replaceAll(/[&<>"'+]/g, (sign) => names[sign] ?? sign);
}

describe('secrets in pages', () => {
  const secret = `p&ss<w>"o'r=d+/12\`34`;
  const secrets = new SecretValues();
  secrets.add('API_KEY', secret);

  for (const [who, write] of Object.entries(WRITERS))
    it(`are masked as they are escaped: ${who}`, () => {
      assert.equal(secrets.mask(`<p>${write(secret)}</p>`), `<p>${MASK}</p>`);
    });

  it('are no pattern for other texts', () => {
    const other = secret.replace('12', '13');
    for (const write of Object.values(WRITERS)) assert.equal(secrets.mask(write(other)), write(other));
  });
});
