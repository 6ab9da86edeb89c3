import { strict as assert } from 'node:assert';
import { MASK, SecretValues } from '../../../../src/base/text/secrets.ts';
import { maskedWithin } from '../../../../src/base/text/maskedWithin.ts';

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

const unit = (text: string, at: number): string => text.charCodeAt(at).toString(16).padStart(4, '0');
const each = (text: string, write: (unit: string) => string): string => Array.from(text, write).join('');
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

/** How programs write a text elsewhere, so that one who knows the notation reads it off. */
const NOTATIONS: Readonly<Record<string, (text: string) => string>> = {
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  'JSON in JSON': (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
  'JSON in JSON in a page': (text) =>
    JSON.stringify(JSON.stringify(text)).slice(3, -3).replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  'JSON as Go and .NET write it': (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replaceAll(/[&<>'+]/g, (sign) => `\\u${unit(sign, 0).toUpperCase()}`),
  'JSON with every letter escaped': (text) => each(text, (sign) => `\\u${unit(sign, 0)}`),
  'escapes with braces': (text) => each(text, (sign) => `\\u{${sign.charCodeAt(0).toString(16)}}`),
  'escaped bytes, as Python shows them': (text) => each(text, (sign) => `\\x${unit(sign, 0).slice(2)}`),
  'octal escapes, as Git shows them': (text) =>
    each(text, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`),
  'a word of a shell': (text) => text.replaceAll(/[^\w/=.+-]/g, String.raw`\$&`),
  'every byte in percent': (text) => each(text, (sign) => `%${unit(sign, 0).slice(2)}`),
  'every letter as an entity': (text) => each(text, (sign) => `&#${sign.charCodeAt(0)};`),
  'colours within': (text) => `\x1b[1m${text.slice(0, 5)}\x1b[0;31m${text.slice(5)}\x1b[0m`,
  'colours within, written out': (text) => `${text.slice(0, 5)}\\u001b[0;31m${text.slice(5)}`,
  'a link of a terminal within': (text) => `${text.slice(0, 5)}\x1b]8;;https://a.example\x07${text.slice(5)}`,
  'letters without width within': (text) => each(text, (sign) => `${sign}\u200b`),
  'those, written out': (text) => each(text, (sign) => `${sign}\\u{200b}`),
  'tags and selectors within': (text) => each(text, (sign) => `${sign}\u{e0041}\ufe05`),
  'UTF-16 that is read as UTF-8': (text) => utf16(text).toString('utf8'),
  'UTF-16, the other way round': (text) => utf16(text).swap16().toString('utf8'),
  'UTF-16 in base64, as PowerShell takes commands': (text) => utf16(`-Key ${text} -Now`).toString('base64'),
  'UTF-16 in base64, behind an odd byte': (text) =>
    Buffer.concat([Buffer.from('k'), utf16(text)]).toString('base64url'),
  'UTF-16 in hexadecimal': (text) => utf16(text).toString('hex'),
};

describe('secrets in other notations', () => {
  const secret = `sk-l&ve<"7Qz'x+/4Rt=9Lp`;
  const secrets = new SecretValues();
  secrets.add('API_KEY', secret);

  for (const [notation, write] of Object.entries(NOTATIONS))
    it(`are masked: ${notation}`, () => {
      const masked = secrets.mask(`before ${write(secret)} after`);
      assert.match(masked, /^before .*•••.* after$/su);
      const rest = masked
        .replaceAll(/(?:\x1b|\\u001b)\[[\d;]*m|\x1b\][^\x07]*\x07|\\u\{(?:200b|e0041)\}|[^ -~]/g, '')
        .slice('before '.length, -' after'.length);
      assert.ok(rest.length <= 40, rest);
      const other = `before ${write(secret.replace('7', '8'))} after`;
      assert.equal(secrets.mask(other), other, 'and no other text');
    });

  it('what stands around them stays as it is written', () => {
    const around = String.raw`C:\new\users %41 &amp; \u0041 \x1b[31mred`;
    assert.equal(secrets.mask(`${around} ${secret} ${around}`), `${around} ${MASK} ${around}`);
    assert.equal(secrets.mask(`${around}\u200b`), `${around}\u200b`);
  });

  it('a key of several lines is found in JSON', () => {
    const key = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg7Qz\nkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----';
    const keys = new SecretValues();
    keys.add('PRIVATE_KEY', key);
    assert.equal(keys.mask(JSON.stringify({ key })), `{"key":"${MASK}"}`);
  });

  for (const value of ['sv=2022-11-02&sig=AbC%2BdefGHIjkl%3D', 'Zk%3Dq<9Lp"Tr8w'])
    for (const [how, write] of Object.entries({ ...WRITERS, ...NOTATIONS, 'as it is': (text: string) => text }))
      it(`are masked where they have escapes themselves, ${how}: ${value}`, () => {
        const others = new SecretValues();
        others.add('TOKEN', value);
        const masked = others.mask(`refused: ${write(value)} `);
        assert.ok(masked.includes(MASK), masked);
        for (const part of [value.slice(0, 8), value.slice(-6)]) assert.ok(!masked.includes(part), masked);
      });

  it('as names of members, don’t hide each other', () => {
    const value = { [secret]: 'curl', [`${secret.slice(0, -1)}\\u${unit(secret, secret.length - 1)}`]: 'ls', other: 1 };
    assert.deepEqual(maskedWithin(value, secrets.mask), { [MASK]: 'curl', [`${MASK} (2)`]: 'ls', other: 1 });
  });

  it('nothing else is hidden with them', () => {
    const [start, end] = [secret.slice(0, 5), secret.slice(5)];
    for (const between of ['\x1b]8;;x; rm -rf ~\x07', '\u200b\u{e0041}', '\x1b[31m', String.raw`\u001b[31m`])
      assert.equal(secrets.mask(`${start}${between}${end}`), `${MASK}${between}${MASK}`);
  });
});

describe('secrets within what is given', () => {
  const token = 'xoxp-1234567890/abc"def';
  const json = (value: unknown): string => JSON.stringify(value);
  const base64 = (text: string): string => Buffer.from(text).toString('base64url');
  const GIVEN: Readonly<Record<string, readonly [name: string, value: string]>> = {
    'a text of JSON in JSON': ['X-Config', json({ a: json({ b: json({ token }) }) })],
    'an address in JSON': ['X-Config', json({ url: `https://h.example/?api_key=${encodeURIComponent(token)}` })],
    'a header in JSON': ['X-Config', json({ headers: { Authorization: `Bearer ${token}` } })],
    'JSON in an address': ['URL', `https://h.example/?config=${encodeURIComponent(json({ apiKey: token }))}`],
    'JSON in base64': ['X-Config', base64(json({ apiKey: token }))],
    'JSON in base64 in an address': ['URL', `https://h.example/?config=${base64(json({ apiKey: token }))}`],
    'a JWT': ['Authorization', `Bearer ${base64('{"alg":"none"}')}.${base64(json({ access_token: token }))}.c2ln`],
    'JSON in a JWT in JSON': [
      'X-Config',
      json({ jwt: `e30.${base64(json({ a: json({ token }), token: json({ token }) }))}.c2ln` }),
    ],
  };
  for (const [where, [name, value]] of Object.entries(GIVEN))
    it(`are masked for themselves: ${where}`, () => {
      const secrets = new SecretValues();
      secrets.add(name, value);
      assert.equal(secrets.mask(`The key ${token} is over.`), `The key ${MASK} is over.`);
      assert.ok(!secrets.mask(`You sent ${value}.`).includes(value));
    });

  it('are masked in a JWT and an address that hold them in JSON', () => {
    const secrets = new SecretValues();
    secrets.add('token', token);
    const inside = base64(json({ iss: 'x', token }));
    for (const text of [`h.${inside}.s`, `https://h.example/?c=${inside}`, json({ a: json({ b: `h.${inside}.s` }) })])
      assert.ok(secrets.mask(text).includes(MASK), text);
  });

  it('who or what a JWT is about is no secret', () => {
    const secrets = new SecretValues();
    const claims = {
      sub: 'auth0|8815',
      email: 'a@b.example',
      iss: 'https://i.example/x',
      token_use: 'access',
      exp: 12,
    };
    secrets.add('token', `e30.${base64(json(claims))}.c2ln`);
    const text = Object.values(claims).join(' ');
    assert.equal(secrets.mask(text), text);
  });

  it('parts that hold each other without end have an end', () => {
    const secrets = new SecretValues();
    let value = 'the-innermost-0815';
    for (let depth = 0; depth < 12; depth++) value = json([value]);
    secrets.add('X-Config', value);
    assert.ok(secrets.mask(value).length < value.length);
  });
});

describe('ordinary words behind a name of a secret', () => {
  const masked = (given: string, text: string): string => {
    const secrets = new SecretValues();
    secrets.add('X', given);
    return secrets.mask(text);
  };

  for (const [given, text] of [
    ['Ask for the password: then continue. Token: word', 'then continue with a word'],
    [
      'Enter your API key: optional. No token: (please ask) or the secret: Nothing…',
      'optional. Then (please wait. Nothing…',
    ],
    ['auth: oauth2, signature: sha256, token-type: bearer, key: title', 'oauth2 with sha256, bearer, and a title'],
    ['The access token: 100000 at most, the credential: ./keys/ours.pem', '100000 of ./keys/ours.pem'],
  ] as const)
    it(`stay to be read where a sentence goes on with them: ${given}`, () => assert.equal(masked(given, text), text));

  for (const given of [
    'password: "master"',
    "password: 'master'",
    'user=sa;password=master',
    'password = master',
    'password:master',
    '--db h --password master',
    'Driver={x};PWD={master};',
  ])
    it(`are masked where they are set: ${given}`, () =>
      assert.equal(masked(`db ${given}`, 'refused: master'), `refused: ${MASK}`));

  it('are none where they look like a key, also in a sentence', () => {
    for (const key of ['Zq93', 'hunter2', 'correct-Horse9', 'sk-live.4711'])
      assert.equal(masked(`Use the token: ${key}.`, `refused: ${key}.`), `refused: ${MASK}`, key);
  });
});

describe('secrets as long as a file', () => {
  // A certificate, or the key of a service account; a regular expression of all of it is refused by the engine.
  const long = Array.from({ length: 4000 }, (_, at) => `${at}"\\+/${(at * 7919) % 997}`).join('-');
  const secrets = new SecretValues();
  secrets.add('TOKEN', long);

  it('are masked whole, in any notation', () => {
    for (const text of [long, JSON.stringify(long).slice(1, -1), encodeURIComponent(long)])
      assert.equal(secrets.mask(`a ${text} b`), `a ${MASK} b`);
    for (const text of [Buffer.from(long).toString('base64'), Buffer.from(long).toString('hex').toUpperCase()])
      assert.equal(secrets.mask(`a ${text} b`), `a ${MASK} b`);
  });

  it('are masked whole, whatever stands where the part of them ends that is looked for', () => {
    for (const size of [62, 63, 64, 65]) {
      const value = `${'aB3-'.repeat(20).slice(0, size)}😀Ünd${'xY9/'.repeat(10)}`;
      const others = new SecretValues();
      others.add('TOKEN', value);
      others.add('TOKEN', value.replace('😀', '😁'));
      for (const text of [value, value.toUpperCase(), encodeURIComponent(value), value.replace('😀', '😁')])
        assert.equal(others.mask(`a ${text} b`), `a ${MASK} b`, text);
    }
  });

  it('are masked where a program cut them', () => {
    assert.equal(secrets.mask(`a ${long.slice(0, 900)}… b`), `a ${MASK}… b`);
  });

  it('are looked for in little time, many of them', () => {
    const many = new SecretValues();
    for (let at = 0; at < 100; at++) many.add('TOKEN', `${at}${long.slice(at)}`);
    assert.equal(many.mask(`a 7${long.slice(7)} b`), `a ${MASK} b`);
  });
});

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
