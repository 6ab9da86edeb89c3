import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../../scripts/lib/paths.mjs';
import { policyOf, readCsp, sitesOf } from '../../../../src/bridge/apps/appCsp.ts';
import { APPS } from '../../../../src/bridge/gateway/editor/editorVersions.ts';
import { AppRig } from '../../../support/appRig.ts';
import { TestHost } from '../../../support/testHost.ts';
import { GatewayRig } from '../gatewayRig.ts';

describe('tools of a server with an app', () => {
  it('have their page read without a question, though the server lists no resource', async () => {
    const rig = new AppRig();
    try {
      await rig.start();
      rig.setPage('<p>page', {
        csp: { resourceDomains: ['https://cdn.example.com'] },
        permissions: { camera: {}, clipboardWrite: {} },
      });
      for (const tool of ['show', 'show_flat']) {
        const { html, csp, wantsClipboard, neverPermitted } = await rig.read(tool);
        assert.equal(html, '<p>page');
        assert.deepEqual(sitesOf(csp), ['https://cdn.example.com']);
        assert.deepEqual([wantsClipboard, neverPermitted], [true, ['camera']]);
      }
      assert.deepEqual(rig.test.questions, []);
    } finally {
      await rig.stop();
    }
  });

  it('are listed for the editor with their page where it looks for it, and those for the app alone with them', async () => {
    const rig = new GatewayRig();
    try {
      const args = [path.join(root, 'test/fixtures/servers/appTools.ts')];
      await rig.start({ tools: { command: process.execPath, args } });
      const client = await rig.client(undefined, 'tools');
      const { tools } = await client.listTools();
      const uriOf = (name: string): unknown => {
        const ui = tools.find((tool) => tool.name === name)?._meta?.['ui'];
        return (ui as { resourceUri?: string } | undefined)?.resourceUri;
      };
      assert.equal(uriOf('show'), 'ui://tools/page');
      assert.equal(uriOf('show_flat'), 'ui://tools/page');
      const names = tools.map(({ name }) => name);
      assert.ok(names.includes('for_app') && names.includes('for_model'));
      assert.ok(!names.includes('for_nobody'));
    } finally {
      await rig.stop();
    }
  });

  it('are listed with what their pages declare to reach, of which the editor makes a policy, and with nothing else', async () => {
    const rig = new GatewayRig();
    try {
      const meta = path.join(rig.test.folder, 'meta.json');
      const csp = { connectDomains: ['https://api.example.com', 'https://a.example; script-src *'] };
      writeFileSync(
        meta,
        JSON.stringify({ listed: [{ uri: 'ui://tools/page', name: 'page', _meta: { ui: { csp } } }] }),
      );
      const args = [path.join(root, 'test/fixtures/servers/appTools.ts'), 'none', meta];
      await rig.start({ tools: { command: process.execPath, args } });
      const { resources } = await (await rig.client(undefined, 'tools')).listResources();
      assert.deepEqual(
        resources.map(({ _meta: said }) => (said?.['ui'] as { csp?: unknown } | undefined)?.csp),
        [{ connectDomains: ['https://api.example.com'], resourceDomains: [], frameDomains: [], baseUriDomains: [] }],
      );
    } finally {
      await rig.stop();
    }
  });

  it('run for the user who makes a call of an app again, one of the plan or one that failed', async () => {
    const rig = new AppRig();
    try {
      await rig.start();
      const { calls } = rig.test.host;
      const { signal } = new AbortController();
      await rig.serverOf().call('for_app', {}, signal);
      const ran = calls.history.entries.find(({ tool }) => tool === 'mcp__tools__for_app');
      assert.equal((await calls.runAgain(ran?.id ?? -1, signal))?.parts.length, 1);
      await calls.plan.setOn(true);
      await rig.serverOf().call('write_for_app', {}, signal);
      assert.deepEqual(await calls.runPlan(calls.plan.queue, signal), { ran: 1 });
      await calls.plan.setOn(false);
      rig.test.answer = 'once';
      await rig.serverOf().call('fail_for_app', {}, signal);
      const [failed] = calls.failedCalls.all;
      assert.ok(failed);
      rig.setPage('', {}, { isMended: true });
      assert.equal((await calls.retryFailed(failed, signal))?.parts.length, 1);
    } finally {
      await rig.stop();
    }
  });
});

describe('a server', () => {
  it('is told of apps as it is when it is connected', async () => {
    let extensions: { [name: string]: { mimeTypes: string[] } } | undefined;
    const requests = {
      get extensions() {
        return extensions;
      },
    };
    const rig = new TestHost({ ports: { requests } });
    try {
      const noted = path.join(rig.folder, 'noted');
      const args = [path.join(root, 'test/fixtures/servers/apps.ts'), noted];
      writeFileSync(
        path.join(rig.folder, '.mcp.json'),
        JSON.stringify({ mcpServers: { apps: { command: process.execPath, args } } }),
      );
      await rig.host.start();
      await rig.approveAll();
      extensions = APPS;
      await rig.host.pool.restart(rig.host.views[0]?.definition.id ?? '');
      await rig.until(() => rig.host.views[0]?.state.kind === 'connected');
      const declared = readFileSync(noted, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.includes('"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}'));
      assert.deepEqual(declared, [false, true]);
    } finally {
      await rig.stop();
    }
  });
});

describe('the policy of an app', () => {
  it('has what the page declares, each in its directives, and nothing else', () => {
    const csp = readCsp({
      connectDomains: ['https://api.example.com', 'wss://*.example.com:8443'],
      resourceDomains: ['https://cdn.example.com/lib/'],
      frameDomains: ['https://www.youtube.com'],
      baseUriDomains: ['https://cdn.example.com'],
    });
    const loaded = 'data: blob: https://cdn.example.com/lib/';
    assert.deepEqual(policyOf(csp).split('; '), [
      "default-src 'none'",
      `script-src 'unsafe-inline' 'unsafe-eval' ${loaded}`,
      `style-src 'unsafe-inline' ${loaded}`,
      `img-src ${loaded}`,
      `media-src ${loaded}`,
      `font-src ${loaded}`,
      'connect-src data: blob: https://api.example.com wss://*.example.com:8443',
      'frame-src https://www.youtube.com',
      'base-uri https://cdn.example.com',
      "object-src 'none'",
      "form-action 'none'",
    ]);
  });

  it('names what a page sends to before what it loads from, and all of it', () => {
    const sites = (of: string): string[] => Array.from({ length: 60 }, (_, number) => `https://${of}${number}.example`);
    const [connectDomains, frameDomains, resourceDomains] = [sites('connect'), sites('frame'), sites('load')];
    const all = sitesOf(readCsp({ resourceDomains, frameDomains, connectDomains }));
    assert.deepEqual(all, [...connectDomains, ...frameDomains, ...resourceDomains]);
  });

  it('lets nothing in where nothing is declared', () => {
    for (const declared of [undefined, null, 1, 'x', [], {}, { connectDomains: 'https://example.com' }]) {
      const policy = policyOf(readCsp(declared));
      assert.ok(!policy.includes('http'));
      assert.match(policy, /script-src 'unsafe-inline' 'unsafe-eval' data: blob:; /);
      assert.match(policy, /connect-src data: blob:; frame-src 'none'; base-uri 'none'/);
    }
  });
});
