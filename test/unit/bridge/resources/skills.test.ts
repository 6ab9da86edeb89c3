import { strict as assert } from 'node:assert';
import { readdirSync } from 'node:fs';
import { searchText } from '../../../../src/bridge/lmTools/toolText.ts';
import { listAllSkills } from '../../../../src/bridge/resources/skills.ts';
import { FIELDS, withSkills } from '../../../support/skillRig.ts';
import { EMAIL, entryOf, REFUNDS, type SkillServer, skillText } from '../../../support/skillServer.ts';

describe('skills', function () {
  this.timeout(60_000);

  it('are listed and loaded, with their origin said; nothing is read before it is asked for', () =>
    withSkills(async (rig) => {
      const listed = JSON.parse(await rig.load({})) as { readonly skills: readonly object[] };
      assert.deepEqual(listed.skills, [{ skill: 'refunds', server: 'shop', about: FIELDS.description }]);
      assert.deepEqual(rig.server.read, []);
      const text = await rig.load({ skill: 'refunds' });
      assert.match(text, /^From the MCP server “shop”, not from the user: the skill “refunds”\.\nIt is the text/);
      assert.match(text, /"templates\/email\.md" \(15 bytes\)/);
      assert.match(text, /# Refunds/);
      assert.deepEqual(rig.server.read, [REFUNDS]);
      const file = await rig.load({ skill: REFUNDS, server: 'shop', file: './templates/email.md' });
      assert.match(file, /the file templates\/email\.md of the skill “refunds”[^]*Dear customer/);
      assert.deepEqual(rig.server.read, [REFUNDS, EMAIL]);
      assert.deepEqual(rig.test.questions, []);
      assert.equal(rig.test.host.calls.history.entries.at(-1)?.tool, 'mcp__shop__resources/read');
    }));

  it('are kept in no file, so that no agent takes one for a skill of the user’s', () =>
    withSkills(async (rig) => {
      await rig.load({ skill: 'refunds' });
      const files = readdirSync(rig.test.folder, { recursive: true });
      assert.deepEqual(files, ['.mcp.json']);
    }));

  it('are found by the search, which says that they are skills', () =>
    withSkills(async (rig) => {
      const { items } = await rig.test.host.search({ query: 'refund policy', limit: 10 });
      assert.deepEqual(
        items.map((item) => item.kind === 'skill' && item.skill.name),
        ['refunds'],
      );
      const text = searchText([], 0, [], { maxToolsPerSearch: 5, summaryDescriptionLimit: 100, now: 0 }, items);
      assert.match(text, /"skill":"skill:\/\/acme\/refunds\/SKILL\.md","name":"refunds","server":"shop"/);
      assert.match(text, /mcp_load_skill/);
      assert.deepEqual(rig.server.read, []);
    }));

  it('come in pages; what isn’t an entry is left out, and said', () =>
    withSkills(
      async (rig) => {
        const listed = JSON.parse(await rig.load({})) as Readonly<Record<'skills' | 'notes', readonly string[]>>;
        assert.equal(listed.skills.length, 4);
        assert.match(listed.notes.join('\n'), /shop: left out\. Skill number 5: its name/);
      },
      {
        prepare: (server) => {
          server.pageSize = 2;
          for (const name of ['one', 'two', 'three'])
            server.offer({ name, description: 'More.' }, { [`skill://${name}/SKILL.md`]: skillText({ name }, 'x') });
          server.entries.push({ uri: 'skill://bad/SKILL.md', frontmatter: {}, resources: [] }, 7);
        },
      },
    ));

  it('are asked for once when all are looked at, also where their list never holds', () =>
    withSkills(
      async (rig) => {
        const asked = (): number => rig.server.asked.filter(({ method }) => method === 'skills/list').length;
        const before = asked();
        const { items } = await listAllSkills(rig.test.host, AbortSignal.timeout(10_000));
        assert.deepEqual([items.map(({ skill }) => skill.name), asked() - before], [['refunds'], 1]);
      },
      {
        prepare: (server) => {
          server.ttlMs = 0;
        },
      },
    ));

  it('that changed ask until the user has reviewed the difference, also where only a file did', () =>
    withSkills(async (rig) => {
      await rig.load({ skill: 'refunds' });
      rig.change('Other.');
      await assert.rejects(rig.load({ skill: 'refunds' }), /changed since you approved/);
      assert.equal(rig.test.questions.length, 1);
      const [change] = rig.test.host.feed.openChangesOf(rig.serverId);
      assert.deepEqual([change?.of, change?.verdict, change?.change.kind], ['skill', 'warn', 'changed']);
      assert.equal(rig.acceptAll(), 1);
      assert.match(await rig.load({ skill: 'refunds' }), /Other\./);
      assert.equal(rig.test.questions.length, 1);
    }));

  it('that are new, or within another, are asked about once', () => {
    const inner = 'skill://acme/refunds/deep/inner/SKILL.md';
    const fields = { name: 'inner', description: 'Within another.' };
    return withSkills(
      async (rig) => {
        rig.test.answer = 'once';
        assert.match(await rig.load({ skill: 'inner' }), /Inner\./);
        rig.test.answer = 'deny';
        assert.match(await rig.load({ skill: 'inner' }), /Inner\./);
        assert.equal(rig.test.questions.length, 1);
      },
      { prepare: (server) => server.offer(fields, { [inner]: skillText(fields, 'Inner.') }) },
    );
  });

  it('that the server doesn’t list are loaded by their address, after an answer', () => {
    const uri = 'skill://hidden/SKILL.md';
    const fields = { name: 'hidden', description: 'Not listed.' };
    return withSkills(
      async (rig) => {
        rig.test.answer = 'session';
        assert.match(await rig.load({ skill: uri, server: 'shop' }), /Hidden\./);
        assert.match(rig.test.questions.at(-1)?.reason ?? '', /it wasn’t approved with its server/);
        await assert.rejects(rig.load({ skill: 'skill://none/SKILL.md' }), /Not found/);
        await assert.rejects(rig.load({ skill: 'none' }), { code: 'invalid-arguments', remedy: /Skills are: refunds/ });
      },
      {
        prepare: (server) => {
          const text = skillText(fields, 'Hidden.');
          server.unlisted.push(entryOf(fields, { [uri]: text }));
          server.files.set(uri, text);
        },
      },
    );
  });

  it('that the server doesn’t list, and changes, are stated anew', () => {
    const uri = 'skill://hidden/SKILL.md';
    const fields = { name: 'hidden', description: 'Not listed.' };
    const offer = (server: SkillServer, text: string): void => {
      server.unlisted.splice(0, Infinity, entryOf(fields, { [uri]: skillText(fields, text) }));
      server.files.set(uri, skillText(fields, text));
    };
    return withSkills(
      async (rig) => {
        rig.test.answer = 'session';
        assert.match(await rig.load({ skill: uri, server: 'shop' }), /First\./);
        offer(rig.server, 'Second.');
        assert.match(await rig.load({ skill: uri, server: 'shop' }), /Second\./);
      },
      { prepare: (server) => offer(server, 'First.') },
    );
  });

  it('of a server that says nothing of them are never asked for', () =>
    withSkills(
      async (rig) => {
        await assert.rejects(rig.load({ skill: 'refunds' }), { remedy: /Servers with skills are: none/ });
        assert.ok(rig.server.asked.every(({ method }) => !method.startsWith('skills/')));
      },
      { prepare: (server) => (server.capabilities = { resources: {} }) },
    ));
});
