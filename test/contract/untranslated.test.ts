import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { englishTexts } from '../../scripts/lib/english-texts.mjs';
import { root } from '../../scripts/lib/paths.mjs';

/** Parts of `src` whose texts are English by intention: who reads them, and how many they are where users read others of the same part. */
const ENGLISH: Readonly<Record<string, string | readonly [who: string, count: number]>> = {
  'base/data/dataForModels.ts': ['models: what stands for data that they can’t see', 7],
  'base/errors.ts': ['logs: an error without a message', 1],
  'base/json/': ['developers: faults of a parser', 3],
  'base/timeLimit.ts': ['logs', 1],
  'bridge/api/': 'authors of extensions that use the API',
  'bridge/apps/': 'HTML, and authors of servers: faults of the pages that they send',
  'bridge/gateway/': 'programs: answers of the gateway to other agents',
  'bridge/lmTools/': 'models',
  'bridge/participant/': 'models: messages of the participant’s turns',
  'bridge/resources/': 'models, and readers of virtual files that servers fill',
  'bridge/sampling/': 'servers: why they are refused a model’s answer',
  'bridge/signIn/': 'HTTP and HTML of the page in the browser',
  'bridge/webviewHtml.ts': ['HTML', 1],
  'calls/': 'models: results, refusals and hints of calls',
  'catalog/': 'models: lists, schemas and search; its words and tables',
  'config/clients/': ['names of products, paths', 7],
  'config/read/': ['developers, and patterns', 1],
  'connection/auth/': ['logs; HTTP; the name that servers know us by', 8],
  'connection/cleaning/': ['authors of servers: what of a list breaks the protocol', 31],
  'connection/installing/': ['patterns of output of package runners', 7],
  'connection/process/': ['scripts of shells; logs', 5],
  'connection/protocol/': ['authors of servers, in the log: how they break the protocol', 70],
  'connection/reading/': ['authors of servers: where a message can’t be parsed', 18],
  'connection/recording/': ['programs: answers of a replayed server, its command line', 10],
  'connection/remote/': ['authors of servers: frames and streams that break a protocol', 8],
  'connection/session/': ['logs; models: a call that failed with the last lines of stderr', 12],
  'connection/start/': ['environment variables, paths, a shell’s command; logs', 15],
  'connection/stdio/': ['logs', 3],
  'doctor/': ['the report of Doctor, which is pasted where people speak English', 33],
  'host/': ['models: why a server or a tool is absent, and what the user can do', 37],
  'platform/': ['names of log channels', 1],
  'servers/': ['the name of a transport', 1],
  'ui/add/': ['commands and headers as examples', 2],
  'ui/config/doctorCommand.ts': ['the report of Doctor', 10],
  'ui/files/problemsView.ts': ['the name of the product', 1],
  'ui/pages/': ['HTML and CSS; HTTP', 9],
  'ui/recording/': ['a report for the author of a server', 1],
  'ui/servers/signs/': ['the name of the product', 1],
  'ui/servers/tree/toolRow.ts': ['keys of menus', 2],
};

describe('texts that users read', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts'))
    .sort();
  const found = files.flatMap((file) =>
    englishTexts(readFileSync(join(root, 'src', file), 'utf8')).map(({ line, text }) => ({ file, line, text })),
  );

  it('are said with `t` or `say`, so that they are translated', () => {
    const places = Object.keys(ENGLISH);
    const left = found.filter(({ file }) => !places.some((place) => file.startsWith(place)));
    assert.deepEqual(
      left.map(({ file, line, text }) => `${file}:${line}: ${text}`),
      [],
    );
  });

  for (const [place, about] of Object.entries(ENGLISH)) {
    const [who, count] = typeof about === 'string' ? [about] : about;
    it(`of src/${place} are English for: ${who}${count === undefined ? '' : `; no more of them`}`, () => {
      const here = found.filter(({ file }) => file.startsWith(place));
      assert.ok(here.length > 0);
      if (count !== undefined)
        assert.equal(
          here.length,
          count,
          `${here.length} texts instead of ${count}: where users read a new one, give it to \`t\` or \`say\`; where it is for ${who}, count it in ENGLISH of this test.\n` +
            here.map(({ file, line, text }) => `${file}:${line}: ${text}`).join('\n'),
        );
    });
  }

  it('are found where code has them in another way', () => {
    const code = [
      'notify(`Nothing was ${done}.`);',
      "const fix = 'Check the address.';",
      "log.log('info', 'Not for users.');",
      'const known = say`This is said.` + t("And this.");',
    ].join('\n');
    assert.deepEqual(englishTexts(code), [
      { line: 1, text: 'Nothing was {}.' },
      { line: 2, text: 'Check the address.' },
    ]);
  });
});
