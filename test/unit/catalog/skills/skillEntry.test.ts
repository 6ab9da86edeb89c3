import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { readSkill } from '../../../../src/catalog/skills/skillEntry.ts';
import {
  nestedSkills,
  pathBelow,
  referredPath,
  rootOf,
  skillOfFile,
} from '../../../../src/catalog/skills/skillPaths.ts';
import { EMAIL, entryOf, REFUNDS } from '../../../support/skillServer.ts';

const FIELDS = { name: 'refunds', description: 'Processes refunds.' };
const FILES = { [REFUNDS]: 'text', [EMAIL]: 'mail' };
const GOOD = entryOf(FIELDS, FILES);
const files = GOOD['resources'] as readonly object[];
const more = (uri: string): object => ({ ...GOOD, resources: [...files, { ...files[1], uri }] });
const problemOf = (entry: unknown): string => {
  const read = readSkill(entry);
  return 'problem' in read ? read.problem : '';
};

describe('an entry of a skill', () => {
  it('is read with the paths of its files', () => {
    const skill = readSkill(GOOD);
    assert.ok(!('problem' in skill) && skill.files !== 'dynamic');
    assert.deepEqual(
      skill.files.map(({ path }) => path),
      ['SKILL.md', 'templates/email.md'],
    );
    assert.equal(problemOf({ ...GOOD, resources: 'dynamic' }), '');
  });

  /** What the entry is, and what is wrong with it. */
  const BAD: readonly (readonly [string, unknown, RegExp])[] = [
    ['no object', 'skill', /no object/],
    ['an address of something else', { ...GOOD, uri: 'skill://acme/refunds/README.md' }, /SKILL\.md/],
    ['an address without a folder', { ...GOOD, uri: 'skill:///SKILL.md' }, /SKILL\.md/],
    ...['skill://acme/refunds/SKILL.md\n', 'skill://acme/ref\nunds/SKILL.md', ' skill://acme/refunds/SKILL.md'].map(
      (uri) => ['an address on several lines, or with blanks', { ...GOOD, uri }, /SKILL\.md/] as const,
    ),
    ...['\u200b', '\u202e', '\t', '\u00ad', '\u{e0041}'].map(
      (unseen) =>
        [
          'an address with what can’t be seen',
          { ...GOOD, uri: `skill://ac${unseen}me/refunds/SKILL.md` },
          /SKILL\.md/,
        ] as const,
    ),
    ['a file whose address has a line break', more('skill://acme/refunds/a\n.md'), /outside/],
    ['no frontmatter', { ...GOOD, frontmatter: undefined }, /frontmatter/],
    ['a name that isn’t its folder’s', { ...GOOD, frontmatter: { ...FIELDS, name: 'other' } }, /folder/],
    ['a name in markup', { ...GOOD, frontmatter: { ...FIELDS, name: '<b>refunds' } }, /name/],
    ['a name that turns the text', { ...GOOD, frontmatter: { ...FIELDS, name: 'refunds\u202e' } }, /name/],
    ['no description', { ...GOOD, frontmatter: { ...FIELDS, description: ' ' } }, /description/],
    ['a long description', { ...GOOD, frontmatter: { ...FIELDS, description: 'x'.repeat(1_025) } }, /description/],
    ['no files', { ...GOOD, resources: undefined }, /what files/],
    ['no SKILL.md among its files', { ...GOOD, resources: files.slice(1) }, /SKILL\.md/],
    ['a file twice', more(EMAIL), /twice/],
    ['a file twice, written otherwise', more('skill://acme/refunds/templates/em%61il.md'), /twice/],
    ['a digest in capitals', { ...GOOD, resources: [{ ...files[0], digest: `sha256:${'A'.repeat(64)}` }] }, /digest/],
    ['a negative size', { ...GOOD, resources: [{ ...files[0], size: -1 }] }, /size/],
    ['more than 16 MiB', { ...GOOD, resources: [{ ...files[0], size: 16 * 1024 * 1024 + 1 }] }, /16 MiB/],
    [
      'more than 512 files',
      { ...GOOD, resources: Array.from({ length: 513 }, (_, index) => ({ ...files[0], uri: `${EMAIL}${index}` })) },
      /512 files/,
    ],
    ['frontmatter that is a book', { ...GOOD, frontmatter: { ...FIELDS, license: 'x'.repeat(40_000) } }, /too large/],
  ];
  for (const [what, entry, why] of BAD) it(`is refused with ${what}`, () => assert.match(problemOf(entry), why));

  const OUTSIDE = [
    'skill://acme/refunds/../other/x.md',
    'skill://acme/refunds/%2e%2e/other/x.md',
    'skill://acme/refunds/templates/..%2f..%2fx.md',
    'skill://acme/refunds/..%5c..%5cx.md',
    'skill://acme/refunds/C:%5cWindows%5cx.md',
    'skill://acme/refunds/C:/x.md',
    'skill://acme/refunds//etc/passwd',
    'skill://acme/refunds/a%00.md',
    'skill://acme/refunds/a%E2%80%AEdm.exe',
    'skill://acme/refunds/x.md?a',
    'skill://acme/refunds-of-others/x.md',
    'skill://other/refunds/x.md',
    'file:///etc/passwd',
    'x.md',
    'skill://acme/refunds/%ff',
  ];
  for (const uri of OUTSIDE)
    it(`is refused with a file at ${uri}`, () => assert.match(problemOf(more(uri)), /outside/));

  it('never throws, and no path leaves the folder, whatever a server says', () => {
    const root = rootOf(REFUNDS)?.uri ?? '';
    fc.assert(
      fc.property(fc.anything(), fc.string(), (entry, name) => {
        readSkill(entry);
        for (const path of [pathBelow(root, `${root}/${name}`), referredPath(root, name)])
          assert.ok(
            path === undefined || !path.split(/[/\\]/).some((part) => ['', '.', '..'].includes(part)),
            String(path),
          );
      }),
    );
  });

  it('is found by the address of a file: the innermost whose folder has it', () => {
    const inner = 'skill://acme/refunds/deep/inner/SKILL.md';
    assert.equal(skillOfFile([REFUNDS, inner], EMAIL), REFUNDS);
    assert.equal(skillOfFile([REFUNDS, inner], 'skill://acme/refunds/deep/inner/a.md'), inner);
    assert.equal(skillOfFile([REFUNDS, inner], 'skill://acme/refundsx/a.md'), undefined);
  });
});

describe('skills within others', () => {
  it('are those whose folder is below another skill’s', () => {
    const skills = [
      'skill://a/x/SKILL.md',
      'skill://a/x-y/SKILL.md',
      'skill://a/x/y/SKILL.md',
      'skill://a/x/y/z/SKILL.md',
    ];
    assert.deepEqual(nestedSkills([...skills, 'skill://a/x/SKILL.md']).toSorted(), skills.slice(2));
  });

  it('are found without holding each against each other', () => {
    const part = fc.constantFrom('a', 'b', 'a-', 'a b', 'é');
    fc.assert(
      fc.property(fc.array(fc.array(part, { minLength: 1, maxLength: 4 }), { maxLength: 12 }), (paths) => {
        const skills = paths.map((parts) => `skill://h/${parts.map(encodeURIComponent).join('/')}/SKILL.md`);
        const roots = skills.map((skill) => rootOf(skill)?.uri ?? '');
        const each = skills.filter((_, index) => roots.some((root) => roots[index]?.startsWith(`${root}/`)));
        assert.deepEqual(nestedSkills(skills).toSorted(), each.toSorted());
      }),
    );
  });
});
