import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';

interface Contributed {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string; readonly when?: string }[];
    readonly walkthroughs: readonly {
      readonly steps: readonly {
        readonly description: string;
        readonly media: { readonly svg: string; readonly altText: string };
      }[];
    }[];
  };
}

const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Contributed;
const texts = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Readonly<Record<string, string>>;
const textOf = (key: string): string => texts[key.replaceAll('%', '')] ?? '';
const steps = contributes.walkthroughs.flatMap((each) => each.steps);

/** The editor's own commands that our texts have buttons for. */
const OF_EDITOR = [
  'vscode.openFolder',
  'workbench.trust.manage',
  'workbench.action.openSettings',
  'workbench.action.openWalkthrough',
  'workbench.action.chat.open',
];

/** More of them than this in the package is felt: a picture of a step in pixels has ten times as much. */
const MAX_BYTES = 15_000;

describe('the walkthrough and the views without rows', () => {
  it('have a picture for each step, in the colours of the theme alone, without a path of a machine', () => {
    const files = readdirSync(join(root, 'media', 'walkthrough')).map((name) => `media/walkthrough/${name}`);
    assert.deepEqual(steps.map(({ media }) => media.svg).toSorted(), files.toSorted());
    for (const { media } of steps) {
      const picture = readFileSync(join(root, media.svg), 'utf8');
      assert.ok(picture.length < MAX_BYTES, media.svg);
      assert.match(picture, /^<svg [^>]*role="img">\n<title>[^<]+<\/title>/);
      assert.notEqual(textOf(media.altText), '');
      for (const [, color = ''] of picture.matchAll(/ (?:fill|stroke)="([^"]*)"/g))
        assert.match(color, /^(none|var\(--vscode-[\w-]+(,(transparent|#\w+))?\))$/, media.svg);
      // The page of walkthroughs takes no style, and loads nothing.
      assert.doesNotMatch(picture, /<style|<script|<image|href|style=|\/work\/|agent-\w{6}/, media.svg);
    }
  });

  it('have buttons for commands that there are, and each view says what comes there', () => {
    const ours = contributes.commands.map(({ command }) => command);
    const shown = [
      ...contributes.viewsWelcome.map(({ contents }) => contents),
      ...steps.map((each) => each.description),
    ];
    for (const key of shown) {
      const buttons = [...textOf(key).matchAll(/^\[[^\]]+\]\(command:([^?)]+)/gm)].map(([, command = '']) => command);
      assert.notEqual(buttons.length, 0, `${key} has a button that helps`);
      for (const command of buttons) assert.ok([...ours, ...OF_EDITOR].includes(command), `${key}: ${command}`);
    }
    const views = Object.values(contributes.views).flat();
    for (const { id } of views)
      assert.ok(
        contributes.viewsWelcome.some(({ view }) => view === id),
        id,
      );
  });

  it('has exactly one text for each state of the view Servers: no match, no folder, no trust, no servers', () => {
    const servers = contributes.viewsWelcome.filter(({ view }) => view === 'mcpSwitchboard.servers');
    for (const noMatch of [true, false])
      for (const folders of [0, 1])
        for (const trusted of [true, false]) {
          const holds = (clause: string): boolean =>
            clause.split(' && ').every((part) => {
              const isNot = part.startsWith('!');
              if (part.includes('noServerMatches')) return noMatch !== isNot;
              if (part.includes('isWorkspaceTrusted')) return trusted !== isNot;
              if (part === 'mcpSwitchboard.serversRead') return true;
              if (part === 'workspaceFolderCount == 0') return folders === 0;
              if (part === 'workspaceFolderCount != 0') return folders > 0;
              throw new Error(part);
            });
          const shown = servers.filter(({ when = '' }) => holds(when)).map(({ contents }) => contents);
          assert.equal(shown.length, 1, `${noMatch}, ${folders}, ${trusted}: ${shown.join(', ')}`);
        }
  });
});
