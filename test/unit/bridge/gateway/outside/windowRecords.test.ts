import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PORTABLE_FOLDER } from '../../../../../src/config/clients/portableEntry.ts';
import { PortableWindow } from '../../../../../src/bridge/gateway/outside/windowRecords.ts';

describe('gateway: the records of windows', () => {
  it('are cleared of what windows left that ended while they wrote', async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'switchboard-windows-'));
    try {
      const records = path.join(home, PORTABLE_FOLDER, 'windows');
      mkdirSync(records, { recursive: true, mode: 0o700 });
      const left = path.join(records, 'other.json.0123456789ab');
      for (const file of [left, path.join(records, 'other.json')]) {
        writeFileSync(file, '{}');
        const twoHoursAgo = Date.now() / 1_000 - 7_200;
        utimesSync(file, twoHoursAgo, twoHoursAgo);
      }
      const script = path.join(home, 'script.js');
      writeFileSync(script, '');
      const record = { socket: path.join(home, 'socket'), pid: process.pid, folders: [home], editor: 'an editor' };
      const window = new PortableWindow(home, 'own');
      await window.publish(record, script);
      assert.deepEqual(readdirSync(records).sort(), ['other.json', 'own.json']);
      window.dispose();
      assert.deepEqual(readdirSync(records), ['other.json']);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});
