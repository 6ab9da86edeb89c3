import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES } from '../../../../scripts/lib/translations.mjs';
import { root } from '../../../../scripts/lib/paths.mjs';
import { saidIn } from '../../../../scripts/lib/said.mjs';
import { messageOf, SwitchboardError } from '../../../../src/base/errors.ts';
import { recased, say } from '../../../../src/base/say.ts';
import { decideByPolicy } from '../../../../src/calls/policy/callPolicy.ts';
import { ConnectError, toFailure } from '../../../../src/connection/connectionFailure.ts';
import { describeState } from '../../../../src/connection/connectionState.ts';
import { describeExit } from '../../../../src/connection/stdio/describeExit.ts';
import { describeLaunch } from '../../../../src/servers/trust/summary/launchSummary.ts';
import { withStubbedEditor } from '../../../support/stubbedEditor.ts';

let texts: Readonly<Record<string, string>> = {};
/** What the editor would write into its log. */
const warned: string[] = [];
/** As the editor does it, which looks in an object, with what that inherits. */
const l10n = {
  get bundle(): typeof texts {
    return texts;
  },
  t(message: string, ...values: readonly string[]): string {
    const translated = texts[message];
    if (!translated) warned.push(message);
    if (typeof translated === 'function') return translated;
    return (translated ?? message).replaceAll(/\{(\d+)\}/g, (all, at: string) => values[Number(at)] ?? all);
  },
};
const { localized } = await withStubbedEditor({ l10n }, () => import('../../../../src/bridge/text/localized.ts'));

const inLanguage = (language: string): void => {
  texts = JSON.parse(readFileSync(join(root, `l10n/bundle.l10n.${language}.json`), 'utf8')) as typeof texts;
};

describe('a text of the core', () => {
  afterEach(() => (texts = {}));

  it('that is its own value stays as it is', () => {
    const others = 'others say so';
    assert.equal(localized(say`${others}`), others);
    assert.equal(localized(say`${say`${others}`}${''}`), others);
  });

  it('has what others wrote as they wrote it, also where that reads as a text of ours', () => {
    inLanguage('de');
    const transport = { type: 'stdio', command: 'Disconnected', args: [], env: {}, cwd: 'hidden' } as const;
    const lines = describeLaunch({ transport });
    assert.deepEqual(lines, ['Runs: Disconnected', 'In the folder: hidden']);
    assert.deepEqual(lines.map(localized), ['Führt aus: Disconnected', 'Im Ordner: hidden']);
    assert.equal(
      localized(say`In the folder: ${say`hidden`}`),
      'Im Ordner: ausgeblendet',
      'what is said is translated',
    );
  });

  it('is in the user’s language, with all that is said in it, and English for models', () => {
    inLanguage('de');
    const { reason } = decideByPolicy({
      annotations: { destructiveHint: true },
      trust: 'all',
      mode: 'default',
      granted: false,
      openWorldGranted: false,
      rule: { tool: 'mcp__a__*', action: 'ask', source: 'user' },
    } as unknown as Parameters<typeof decideByPolicy>[0]);
    assert.equal(reason, 'a rule in your settings asks for “mcp__a__*”');
    assert.equal(localized(reason), 'eine Regel in Ihren Einstellungen fragt bei „mcp__a__*“ nach');
    const failure = toFailure(new ConnectError('exited', say`The server ${describeExit({ code: 3, signal: null })}.`));
    const state = describeState({ kind: 'failed', failure });
    assert.equal(state, 'Failed: The server exited with code 3.');
    assert.equal(localized(state), 'Fehlgeschlagen: Der Server: wurde mit Code 3 beendet.');
    assert.equal(
      localized(describeState({ kind: 'disabled', reason: say`disabled by you` })),
      'Von Ihnen deaktiviert',
      'as a sentence',
    );
    const error = new SwitchboardError('unreachable', say`The WebSocket is closed.`, { remedy: say`Try again.` });
    assert.equal(messageOf(error), 'The WebSocket is closed. Try again.');
    assert.equal(localized(messageOf(error)), 'Der WebSocket ist geschlossen. Versuchen Sie es erneut.');
  });

  it('stays as it is where others wrote it, whatever braces it has', () => {
    inLanguage('de');
    const text = say`${'the {0} of a server'} was not sent: ${'{1}'}`;
    assert.equal(localized('{0} by somebody'), '{0} by somebody');
    assert.equal(text, 'the {0} of a server was not sent: {1}');
    assert.match(localized(text), /^the \{0\} of a server wurde nicht gesendet/);
  });

  it('isn’t looked up where others wrote it: not in the editor’s log, and no function in its place', () => {
    inLanguage('de');
    warned.length = 0;
    for (const others of ['constructor', 'toString', '__proto__', 'a token=abc123 of a server']) {
      assert.equal(localized(others), others);
      assert.equal(localized(say`Failed: ${others}`), `Fehlgeschlagen: ${others}`);
    }
    assert.deepEqual(warned, []);
  });

  it('is remembered only for a while, and shows in English after that', () => {
    inLanguage('de');
    const text = say`Failed: ${'x'}`;
    const others = Array.from({ length: 1_000 }, (_, n) => say`Failed: ${n}`);
    assert.equal(localized(others[999] ?? ''), 'Fehlgeschlagen: 999');
    assert.equal(localized(text), 'Failed: x');
    assert.equal(localized(recased(say`disabled by you`, (first) => first.toUpperCase())), 'Von Ihnen deaktiviert');
  });

  it('isn’t remembered where it is long, and keeps what it is made of where it is not', () => {
    inLanguage('de');
    const [long, short] = [say`Failed: ${'x'.repeat(5_000)}`, say`Failed: ${'\ud83d 😀 é'}`];
    assert.equal(localized(long), long);
    assert.equal(localized(recased(long, (first) => first.toLowerCase())), `f${long.slice(1)}`);
    assert.equal(localized(short), 'Fehlgeschlagen: \ud83d 😀 é');
  });

  it('is found in the code with its values counted, and has a translation in each language', () => {
    const code = "say`an ${b(`c ${d} {`)} e \\`f\\`` + say`${x} ${y}` + say`go ${h ? `i` : 'j}'} \\${k}`";
    assert.deepEqual(saidIn(code), ['an {0} e `f`', 'go {0} ${k}']);
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
    const said = files
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => saidIn(readFileSync(join(root, 'src', file), 'utf8')));
    assert.ok(said.length > 200);
    for (const language of LANGUAGES) {
      inLanguage(language);
      assert.deepEqual(
        said.filter((template) => !texts[template]),
        [],
        language,
      );
    }
  });
});
