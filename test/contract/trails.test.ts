import { strict as assert } from 'node:assert';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';

/** A step of a way in CONTRIBUTING.md: its number, its file in `src`, and where to begin in it. */
const STEP = /^ +(\d+)\. `([^`]+\.ts)` `([^`]+)`: /gm;

describe('the ways in CONTRIBUTING.md', () => {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

  const ways = [
    { title: 'From a config file to a tool', longest: 20 },
    { title: 'From a call to a server', longest: 14, until: '- bytes → result' },
  ];

  for (const { title, longest, until = '' } of ways) {
    const section = text.split(`### ${title}\n`)[1]?.split(/^##/m)[0] ?? '';
    const steps = [...section.matchAll(STEP)].map(([, number, file = '', name = '']) => ({ number, file, name }));

    it(`${title}: has its files, each once and with what is named in it`, () => {
      assert.ok(steps.length > 10);
      assert.deepEqual(
        steps.map(({ number }) => Number(number)),
        steps.map((_, index) => index + 1),
      );
      assert.equal(new Set(steps.map(({ file }) => file)).size, steps.length);
      assert.deepEqual(
        steps.filter(({ file, name }) => !defines(file, name)).map(({ file, name }) => `${file}: ${name}`),
        [],
      );
    });

    it(`${title}: has at most ${longest} files`, () => {
      const counted = until === '' ? section : section.slice(0, section.indexOf(until));
      const count = [...counted.matchAll(STEP)].length;
      assert.ok(count > 5 && count <= longest, `${count} files`);
    });

    it(`${title}: names functions and classes that are there`, () => {
      const names = [...section.matchAll(/(?:\(|; )`([A-Za-z]+)`/g)].map(([, name = '']) => name);
      assert.deepEqual(
        names.filter((name) => !new RegExp(String.raw`\b(?:function\*?|class) ${name}\b`).test(source())),
        [],
      );
    });
  }

  it('the whole document names no file that isn’t there', () => {
    const files = ['src', 'test', 'scripts', 'bench'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `/${folder}/${file}`),
    );
    const named = [...text.matchAll(/`([\w/.]*\w\.(?:ts|mjs))`/g)].map(([, path = '']) => path);
    assert.ok(named.length > 60);
    assert.deepEqual(
      named.filter((path) => !files.some((file) => file.replaceAll('\\', '/').endsWith(`/${path}`))),
      [],
    );
  });
});

function source(): string {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(root, 'src', file), 'utf8'))
    .join('\n');
}

/** Whether a file has a function, a method or a class of this name. */
function defines(file: string, name: string): boolean {
  const path = join(root, 'src', file);
  if (!existsSync(path)) return false;
  const pattern = String.raw`^(?:export | {2})?(?:async )?(?:function\*? |class )?${name}[ (<]`;
  return new RegExp(pattern, 'm').test(readFileSync(path, 'utf8'));
}
