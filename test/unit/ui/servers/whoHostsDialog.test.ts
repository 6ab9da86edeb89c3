import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { MemoryStore, type KeyValueStore } from '../../../../src/base/keyValueStore.ts';
import { waitingForUser } from '../../../../src/host/views/waitingForUser.ts';
import { withStubbedEditor } from '../../../support/stubbedEditor.ts';
import { TestHost } from '../../../support/testHost.ts';

interface Row {
  readonly label: string;
  readonly description?: string;
}

/** What was shown, a line each, and what is answered: the button or row that contains the first of these; `Escape` closes. */
let shown: string[] = [];
let answers: string[] = [];
/** Of `chat.mcp`, and this extension’s own. */
const editorSettings: Record<string, unknown> = {};
/** Ids of commands. */
let ran: string[] = [];

/** What happens while a list of this title is open. */
let onTitle: (title: string) => Promise<void> = async () => {};

function answer<T>(title: string, choices: readonly T[], textOf: (choice: T) => string): T | undefined {
  shown.push(`${title}: ${choices.map(textOf).join(' | ')}`);
  const next = answers.shift() ?? 'Escape';
  if (next === 'Escape') return undefined;
  return choices.find((choice) => textOf(choice).includes(next)) ?? assert.fail(`no ${next} in ${shown.at(-1)}`);
}

const textOfRow = ({ label }: Row): string => label;

class Pick {
  title = '';
  items: readonly Row[] = [];
  activeItems: readonly Row[] = [];
  selectedItems: readonly Row[] = [];
  #accept: () => void = () => {};
  #hide: () => void = () => {};
  onDidAccept(listener: () => void): void {
    this.#accept = listener;
  }
  onDidHide(listener: () => void): void {
    this.#hide = listener;
  }
  onDidTriggerButton(): void {}
  show(): void {
    this.#next();
  }
  /** A tick leaves the list open. */
  #next(): void {
    void onTitle(this.title).then(() => {
      const row = answer(this.title, this.items, textOfRow);
      if (!row) return this.#hide();
      const isTick = /pass-filled|circle-large/.test(row.label);
      this.selectedItems = [row];
      this.#accept();
      if (isTick) this.#next();
    });
  }
  dispose(): void {}
}

const said = async (text: string, ...more: readonly unknown[]): Promise<string | undefined> => {
  const buttons = more.filter((each) => typeof each === 'string');
  return answer(text, buttons, String);
};
const t = (text: string, ...values: readonly unknown[]): string =>
  text.replaceAll(/\{(\d)\}/g, (_whole, place: string) => String(values[Number(place)]));
const { WhoHostsDialog, showQuickMenu, runServerAction } = await withStubbedEditor(
  {
    l10n: { t },
    version: '1.139.0',
    ConfigurationTarget: { Global: 1 },
    workspace: {
      getConfiguration: () => ({
        get: (name: string) => editorSettings[name],
        inspect: (name: string) => ({
          globalValue:
            name === 'mcpSwitchboard'
              ? { gateway: { enabled: editorSettings['gateway.enabled'] } }
              : editorSettings[name],
        }),
        update: async (name: string, value: unknown) => void (editorSettings[name] = value),
      }),
    },
    QuickPickItemKind: { Separator: -1 },
    QuickInputButtons: { Back: {} },
    ThemeIcon: Object,
    ThemeColor: Object,
    Uri: { from: (parts: object) => parts },
    commands: { executeCommand: async (id: string) => void ran.push(id) },
    window: {
      createQuickPick: () => new Pick(),
      showQuickPick: async (rows: readonly Row[], { title }: { readonly title: string }) =>
        answer(title, rows, ({ label, description = '' }) => `${label} ${description}`.trim()),
      showInformationMessage: said,
      showWarningMessage: said,
    },
  },
  async () => ({
    ...(await import('../../../../src/ui/servers/whoHostsDialog.ts')),
    ...(await import('../../../../src/ui/servers/signs/quickMenu.ts')),
    ...(await import('../../../../src/ui/servers/serverActions.ts')),
  }),
);

interface Situation {
  readonly project?: object;
  readonly own?: object;
  /** By name. */
  readonly editorHasNot?: readonly string[];
  readonly trusted?: boolean;
  readonly store?: KeyValueStore;
}

const IDLE = { command: process.execPath, args: ['-e', ''] };
const TWO = { a: { ...IDLE, env: { N: '1' } }, b: { ...IDLE, env: { N: '2' } } };

/** A window whose editor has the servers, too. `changes`: what was done to the editor's copies. */
async function withWindow(
  { project = {}, own, editorHasNot = [], trusted = true, store = new MemoryStore() }: Situation,
  use: (rig: TestHost, dialog: InstanceType<typeof WhoHostsDialog>, changes: string[]) => Promise<void>,
): Promise<void> {
  shown = [];
  answers = [];
  ran = [];
  const changes: string[] = [];
  const folder = new TestHost();
  const file = path.join(folder.folder, 'own.json');
  writeFileSync(file, JSON.stringify({ mcpServers: own ?? {} }));
  writeFileSync(path.join(folder.folder, '.mcp.json'), JSON.stringify({ mcpServers: project }));
  const rig = new TestHost({
    folder: folder.folder,
    store,
    own: { file },
    settings: { reconnect: { maxAttempts: 0 } },
    ports: {
      editor: {
        workspaceTrusted: () => trusted,
        editorHosts: ({ name }) => !editorHasNot.includes(name),
        onDidChange: () => ({ dispose: () => {} }),
      },
    },
  });
  const dialog = new WhoHostsDialog(
    rig.host,
    {
      replaceEditorCopies: async () => void changes.push('replaced'),
      restoreEditorCopies: async () => void changes.push('restored'),
    },
    new MemoryStore(),
  );
  try {
    await rig.host.start();
    await use(rig, dialog, changes);
  } finally {
    await rig.stop();
    await folder.stop();
  }
}

const states = ({ host }: TestHost): string[] =>
  host.views.map(({ definition: { name, status } }) =>
    [name, status.kind, ...('reason' in status ? [status.reason] : [])].join(' '),
  );
const waits = ({ host }: TestHost): string => {
  const { hosting, approvals } = waitingForUser(host);
  return `${host.servers.hosting}: ${hosting} to choose, ${approvals} to approve`;
};
const UNDECIDED = ['a disabled MCP host not chosen', 'b disabled MCP host not chosen'];

describe('ui/whoHostsDialog', () => {
  for (const [way, ...steps] of [
    ['Review…', 'Escape'],
    ['Review…', 'shield) a', 'Escape', 'Escape'],
    ['Use Switchboard…', 'Escape'],
    ['Use Switchboard…', 'Cancel'],
    ['Escape'],
  ] as const)
    it(`${[way, ...steps].join(', ')}: everything is as it was, also in the next window, and it says where it waits`, async () => {
      const store = new MemoryStore();
      await withWindow({ project: TWO, store }, async (rig, dialog, changes) => {
        // A reload in between is a window that sees what is kept at that moment.
        const keys: unknown[] = [];
        const set = store.set.bind(store);
        store.set = async (key, value) => {
          keys.push(key);
          await set(key, value);
        };
        answers = [way, ...steps];
        await dialog.choose();
        assert.deepEqual(states(rig), UNDECIDED);
        assert.equal(waits(rig), 'undecided: 2 to choose, 0 to approve');
        assert.deepEqual(changes, []);
        assert.deepEqual(
          keys.filter((key) => String(key).startsWith('servers.')),
          [],
        );
        if (steps.length > 0)
          assert.match(shown.at(-1) ?? '', /^Nothing was started or changed\. “MCP” in the status bar/);
      });
      await withWindow({ project: TWO, store }, async (rig) => {
        assert.equal(waits(rig), 'undecided: 2 to choose, 0 to approve');
      });
    });

  it('Review…: the first that is approved is the choice, and the others wait for approval', async () => {
    await withWindow({ project: TWO }, async (rig, dialog, changes) => {
      answers = ['Review…', 'shield) a', 'Approve', 'Escape'];
      await dialog.choose();
      assert.match(
        shown[2] ?? '',
        /VS Code’s own copy of each server will be disabled/,
        'what else it changes is said before',
      );
      assert.deepEqual(states(rig), ['a ready', 'b needs-approval']);
      assert.equal(waits(rig), 'switchboard: 0 to choose, 1 to approve');
      assert.deepEqual(changes, ['replaced']);
      assert.match(shown.at(-1) ?? '', /^Review MCP Servers: /, 'nothing more is said');
      answers = ['shield) b', 'Approve'];
      await dialog.review();
      assert.deepEqual(states(rig), ['a ready', 'b ready']);
      assert.deepEqual(changes, ['replaced'], 'what the user enabled in VS Code meanwhile stays');
    });
  });

  it('Review…: who rejects chooses nothing', async () => {
    await withWindow({ project: TWO }, async (rig, dialog, changes) => {
      answers = ['Review…', 'shield) a', 'Reject', 'Escape'];
      await dialog.choose();
      assert.deepEqual(states(rig), UNDECIDED);
      assert.deepEqual(changes, []);
      // What was rejected isn't asked about again.
      answers = ['Use Switchboard…', 'Approve and Start'];
      await dialog.choose();
      assert.deepEqual(states(rig), ['a blocked you rejected it', 'b ready']);
    });
  });

  it('Use Switchboard…: those without a tick wait for approval', async () => {
    await withWindow({ project: TWO }, async (rig, dialog, changes) => {
      answers = ['Use Switchboard…', 'pass-filled) a', 'Approve and Start'];
      await dialog.choose();
      assert.deepEqual(states(rig), ['a needs-approval', 'b ready']);
      assert.equal(waits(rig), 'switchboard: 0 to choose, 1 to approve');
      assert.deepEqual(changes, ['replaced']);
    });
  });

  it('Use VS Code: nothing waits, and Review Servers… doesn’t ask about what was left to it', async () => {
    await withWindow({ project: TWO }, async (rig, dialog, changes) => {
      answers = ['Use VS Code'];
      await dialog.choose();
      assert.deepEqual(states(rig), ['a disabled left to VS Code', 'b disabled left to VS Code']);
      assert.equal(waits(rig), 'editor: 0 to choose, 0 to approve');
      assert.deepEqual(changes, ['restored']);
      await dialog.review();
      assert.equal(shown.at(-1), 'No servers need approval.: ');
      // And back, up to the approval.
      answers = ['Review…', 'Escape'];
      await dialog.choose();
      assert.equal(waits(rig), 'editor: 0 to choose, 0 to approve');
    });
  });

  it('Review Servers… asks about those that VS Code has, too; one that it hasn’t is no choice', async () => {
    await withWindow({ project: TWO, editorHasNot: ['b'] }, async (rig, dialog, changes) => {
      assert.equal(waits(rig), 'undecided: 1 to choose, 1 to approve');
      answers = ['shield) b', 'Approve', 'Escape'];
      await dialog.review();
      assert.match(shown[0] ?? '', /shield\) a.*shield\) b/);
      assert.doesNotMatch(shown[1] ?? '', /own copy/);
      assert.equal(waits(rig), 'undecided: 1 to choose, 0 to approve');
      answers = ['shield) a', 'Approve'];
      await dialog.review();
      assert.deepEqual(states(rig), ['a ready', 'b ready']);
      assert.deepEqual(changes, ['replaced']);
    });
  });

  it('asks about all servers that VS Code has, also those that run here', async () => {
    await withWindow({ project: TWO }, async (rig, dialog, changes) => {
      answers = ['Use Switchboard…', 'pass-filled) a', 'Approve and Start'];
      await dialog.choose();
      assert.deepEqual(states(rig), ['a needs-approval', 'b ready']);
      await dialog.offer();
      assert.match(shown.at(-1) ?? '', /^This workspace defines 2 MCP servers\./);
      answers = ['Use VS Code'];
      await dialog.choose();
      assert.match(shown.at(-1) ?? '', /Use Switchboard… current.*Use VS Code$/);
      assert.deepEqual(changes, ['replaced', 'restored']);
    });
  });

  it('what changes while it is reviewed isn’t approved, and the user is told', async () => {
    for (const [way, ...steps] of [
      ['Use Switchboard…', 'Approve and Start'],
      ['Review…', 'shield) a', 'Approve'],
    ] as const)
      await withWindow({ project: { a: TWO.a } }, async (rig, dialog, changes) => {
        onTitle = async (title) => {
          if (!/Run 1 MCP Server|Allow server/.test(title)) return;
          onTitle = async () => {};
          const file = path.join(rig.folder, '.mcp.json');
          writeFileSync(file, JSON.stringify({ mcpServers: { a: { ...IDLE, env: { N: 'other' } } } }));
          await rig.host.config.reload();
        };
        answers = [way, ...steps];
        await dialog.choose();
        assert.ok(shown.includes('“a” changed while you reviewed it, so it wasn’t approved.: Review Servers…'), way);
        assert.deepEqual(states(rig), ['a disabled MCP host not chosen']);
        assert.deepEqual(changes, []);
      });
  });

  for (const [name, value] of [
    ['collisionBehavior', 'suffix'],
    ['gateway.enabled', false],
  ] as const)
    it(`where VS Code can’t be told whose copy is off (${name}: ${value}), its automatic start is turned off instead`, async () => {
      editorSettings[name] = value;
      try {
        await withWindow({ project: TWO }, async (rig, dialog, changes) => {
          answers = ['Review…', 'shield) a', 'Approve', 'Escape'];
          await dialog.choose();
          assert.match(shown.join('\n'), /chat\.mcp\.autostart\) will be set to /);
          assert.equal(rig.host.servers.hosting, 'switchboard');
          assert.deepEqual(changes, [], 'no copy is said to be off');
          assert.equal(editorSettings['autostart'], 'never');
        });
      } finally {
        for (const key of Object.keys(editorSettings)) delete editorSettings[key];
      }
    });

  it('servers of the user’s own need no review, and start only once they say so', async () => {
    await withWindow({ own: { mine: IDLE } }, async (rig, dialog, changes) => {
      assert.equal(waits(rig), 'undecided: 1 to choose, 0 to approve');
      answers = ['Use Switchboard…', 'Escape'];
      await dialog.choose();
      assert.equal(shown[0], 'Choose MCP Host: Use Switchboard… | Use VS Code');
      await dialog.offer();
      assert.equal(
        shown.at(-1),
        'VS Code has 1 of your MCP servers, too. Run it with MCP Switchboard in this workspace?: Use Switchboard… | Use VS Code',
      );
      assert.equal(rig.host.pool.all.length, 0);
      assert.equal(waits(rig), 'undecided: 1 to choose, 0 to approve');
      // Review Servers… has nothing to review, and asks this.
      answers = ['Use Switchboard…', 'Use Switchboard'];
      await dialog.review();
      assert.deepEqual(states(rig), ['mine ready']);
      assert.deepEqual(changes, ['replaced']);
    });
  });

  it('what an approval changes is told as it will be here', async () => {
    const same = { notes: IDLE };
    await withWindow({ project: same, own: same }, async (rig, dialog) => {
      answers = ['Review…', 'shield) notes', 'Escape', 'Escape'];
      await dialog.choose();
      assert.match(shown.find((each) => each.startsWith('Allow server')) ?? '', /It replaces the server .*notes/);
      assert.equal(waits(rig), 'undecided: 2 to choose, 0 to approve');
    });
  });
});

describe('Approve…, without a server', () => {
  const approve = ({ host }: TestHost): Promise<void> =>
    runServerAction(host, {} as never, 'mcpSwitchboard.approve', undefined);

  it('reviews the servers where the choice of the host waits, and else says that none needs approval', async () => {
    await withWindow({ project: TWO }, async (rig, dialog) => {
      await approve(rig);
      assert.deepEqual(ran, ['mcpSwitchboard.review']);
      assert.deepEqual(shown, []);
      await rig.host.servers.setHosting('editor');
      await dialog.review();
      assert.deepEqual(shown, ['No servers need approval.: ']);
    });
    await withWindow({}, async (rig) => {
      await approve(rig);
      assert.deepEqual(ran, []);
      assert.deepEqual(shown, ['No servers need approval.: Add Server…']);
    });
  });

  it('says that the workspace isn’t trusted, with the way out, where nothing else keeps the servers from being reviewed', async () => {
    await withWindow({ project: TWO, trusted: false }, async (_rig, dialog) => {
      answers = ['Manage Trust…'];
      await dialog.review();
      assert.deepEqual(shown, ['The workspace isn’t trusted: 2 servers are blocked: Manage Trust…']);
      await Promise.resolve();
      assert.deepEqual(ran, ['workbench.trust.manage']);
    });
  });
});

describe('ui/quickMenu', () => {
  const items = async ({ host }: TestHost): Promise<string> => {
    await showQuickMenu(host, {} as never);
    return shown.at(-1) ?? '';
  };
  const offers = async (rig: TestHost, ...texts: readonly string[]): Promise<void> => {
    const menu = await items(rig);
    for (const text of texts) assert.ok(menu.includes(text), `${text}: ${menu}`);
    if (!texts.some((text) => text.includes('No MCP servers'))) assert.doesNotMatch(menu, /No MCP servers/);
  };

  it('says what keeps servers from running, and offers what to do about it', async () => {
    await withWindow({ project: TWO }, async (rig) => {
      const { servers } = rig.host;
      const choose = '$(arrow-swap) Choose MCP Host…';
      await offers(rig, `${choose} Choose what runs 2 servers`, '$(server) List Servers |');
      await servers.setHosting('editor');
      await offers(rig, `${choose} Left to VS Code: 2 servers`, '$(server) List Servers |');
      await servers.setHosting('switchboard');
      const review = '$(shield) Review Servers… 2 servers need approval';
      await offers(rig, review, '$(server) List Servers |');
      const ids = servers.definitions.map(({ id }) => id);
      await servers.reject(ids);
      await offers(rig, '$(check) Approve… You rejected 2 servers', '$(server) List Servers 2 servers are blocked');
      for (const id of ids) await servers.setDisabled(id, true);
      await offers(
        rig,
        '$(circle-slash) Enable… All servers are disabled',
        '$(server) List Servers No MCP servers enabled',
      );
    });
    await withWindow({ project: TWO, trusted: false }, (rig) => {
      const text = 'The workspace isn’t trusted: 2 servers are blocked';
      return offers(rig, `$(workspace-untrusted) Manage Trust… ${text}`, '$(server) List Servers |');
    });
    await withWindow({}, (rig) => offers(rig, '$(server) List Servers No MCP servers configured'));
  });
});
