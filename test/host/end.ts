import { strict as assert } from 'node:assert';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { OF_THE_EDITOR } from '../support/editorHosts.ts';
import { EXTENSION_ID, eventually, exportsOf, pids } from './support.ts';
import { isLoopback, type ConnectionWatch } from './watchConnections.ts';

/** Last: the extension is deactivated as the editor would, and must leave nothing. */
export function endSuite(connections: ConnectionWatch): void {
  describe('privacy', () => {
    it('no connection went anywhere but to the servers that the suites configured, all on this machine', () => {
      connections.end();
      assert.ok(connections.seen.length > 20, 'connections are seen');
      const elsewhere = connections.seen.filter(({ host }) => !isLoopback(host) && !host.endsWith('.invalid'));
      assert.deepEqual(
        elsewhere.filter(({ host }) => !OF_THE_EDITOR.includes(host)),
        [],
      );
      const dist = path.join(vscode.extensions.getExtension(EXTENSION_ID)?.extensionPath ?? '', 'dist');
      for (const file of fs.readdirSync(dist).filter((name) => name.endsWith('.js'))) {
        const text = fs.readFileSync(path.join(dist, file), 'utf8');
        assert.deepEqual(
          OF_THE_EDITOR.filter((name) => text.includes(name)),
          [],
          file,
        );
      }
    });
  });

  describe('deactivation', () => {
    it('stops every server and leaks no disposable', async () => {
      const { leaks } = await exportsOf();
      const running = Object.values(await pids());
      assert.ok(running.length >= 4);
      const extension = vscode.extensions.getExtension(EXTENSION_ID);
      const bundle = path.join(extension?.extensionPath ?? '', 'dist/extension.js');
      const bundled = require(bundle) as { deactivate(): Promise<void> };
      const began = Date.now();
      await bundled.deactivate();
      assert.ok(Date.now() - began < 4_000, 'the editor kills the host after five seconds');
      for (const pid of running) assert.throws(() => process.kill(pid, 0), `process ${pid} is gone`);
      // A timer that is about to run out is no leak.
      await eventually('nothing leaks', () => leaks().length === 0, 10_000).catch(() => assert.deepEqual(leaks(), []));
    });
  });
}
