import { strict as assert } from 'node:assert';
import { maskedLooks, namedSecrets, withoutSecretLooks } from '../../../../src/base/text/secretLooks.ts';
import { MASK } from '../../../../src/base/text/secrets.ts';

const VALUE = 's3cr3tValue9';

/** Values, and what becomes of them. */
const MASKED: readonly (readonly [value: object, masked: object])[] = [
  [{ password: 'a' }, { password: MASK }],
  [{ api_key: 12_345_678 }, { api_key: MASK }],
  ...['auth', 'PAT', 'passcode', 'signature', 'key', 'x-auth', 'my_key'].map(
    (name) => [{ [name]: VALUE }, { [name]: MASK }] as const,
  ),
  [{ pin: '982371' }, { pin: MASK }],
  [{ credentials: { user: 'ada', value: VALUE } }, { credentials: { user: 'ada', value: MASK } }],
  [{ secrets: [{ deep: { deeper: VALUE } }] }, { secrets: [{ deep: { deeper: MASK } }] }],
  [{ env: [{ name: 'API_TOKEN', value: VALUE }] }, { env: [{ name: 'API_TOKEN', value: MASK }] }],
  [
    { key: 'password', value: 'sesame' },
    { key: 'password', value: MASK },
  ],
  [{ text: `{"password": "${VALUE}", "a": 1}` }, { text: `{"password": "${MASK}", "a": 1}` }],
  [{ text: String.raw`{"token":"a\"b1234"}` }, { text: `{"token":"${MASK}"}` }],
  [{ text: 'https://a.example/b?c=d&pin=982371#e' }, { text: `https://a.example/b?c=d&pin=${MASK}#e` }],
];

const STAYS: readonly object[] = [
  { prompt_tokens: 202_612, total_tokens: 5 },
  { auth: true, key: 12_345_678, pin: 4_711 },
  { key: 'title', auth: 'oauth', signature: 'run(a: string): void', pin: 'a b' },
  { key: 'PROJ-123', sort_key: 'created_at' },
  { list: [{ key: 'status', value: 'open1234' }] },
  {
    inputSchema: {
      type: 'object',
      properties: { password: { type: 'string', description: 'A word', format: 'hidden' } },
    },
  },
  { credentials: { type: 'basic', count: 1 } },
  { text: '{"nextPageToken":"CAUQAA","next_page_token":"CAUQAA"}' },
  { text: 'https://a.example/?sort_key=name&max=1 {"key": "title", "auth": "none"}' },
];

describe('secrets by their looks', () => {
  for (const [value, expected] of MASKED)
    it(`masks ${JSON.stringify(value)}`, () => assert.deepEqual(withoutSecretLooks(value), expected));

  for (const value of STAYS)
    it(`leaves ${JSON.stringify(value)}`, () => {
      assert.deepEqual(withoutSecretLooks(value), value);
      assert.deepEqual(namedSecrets(value), []);
    });

  it('knows the values of names, and no ordinary words, which stand elsewhere, too', () => {
    const value = {
      ...{ pin: '982371', credentials: { value: VALUE, note: 'ordinary' }, key: 'title' },
      ...{ text: '{"password":"hunter2hunter2"}', list: [{ name: 'API_TOKEN', value: 'abcd' }] },
    };
    assert.deepEqual(namedSecrets(value), ['982371', VALUE, 'hunter2hunter2', 'abcd']);
  });

  it('reads long texts once, whatever is in them', () => {
    for (const part of ['"', '"a":"', '"token":"\\', '?pin', '"a"    :', '&pin=1'])
      assert.ok(maskedLooks(part.repeat(200_000)).length > 0);
  });
});
