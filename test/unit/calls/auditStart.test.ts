import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { MemoryStore } from '../../../src/base/keyValueStore.ts';
import { CallServices } from '../../../src/calls/callServices.ts';
import { DEFAULT_CALL_SETTINGS } from '../../../src/calls/callSettings.ts';
import type { HistoryEntry } from '../../../src/calls/history/callHistory.ts';
import { eventually } from '../../support/eventually.ts';

describe('calls: the audit file', () => {
  it('is opened with the next call where it could not be loaded, and that is said once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'switchboard-audit-'));
    const auditFile = join(folder, 'audit.jsonl');
    let failing = true;
    const hooks = registerHooks({
      resolve: (specifier, context, next) => {
        if (failing && specifier.endsWith('/auditFile.ts')) throw new Error('gone');
        return next(specifier, context);
      },
    });
    const logged: string[] = [];
    const calls = new CallServices(
      () => Promise.reject(new Error('No call runs here')),
      systemClock,
      new MemoryStore(),
      { log: (level, message) => void logged.push(`${level}: ${message}`) },
      { settings: () => ({ ...DEFAULT_CALL_SETTINGS, auditFile }) },
    );
    try {
      const add = (tool: string): unknown => calls.history.add({ tool, serverName: 's' } as Omit<HistoryEntry, 'id'>);
      for (const name of ['a', 'b']) {
        add(name);
        add(name);
        await eventually('given up', () => calls.audit === undefined);
      }
      assert.deepEqual(logged, ['warning: No audit file: gone']);
      failing = false;
      add('c');
      await (await calls.audit)?.settled();
      assert.match(readFileSync(auditFile, 'utf8'), /^\{"tool":"c",.*\}\n$/);
    } finally {
      hooks.deregister();
      calls.dispose();
      rmSync(folder, { recursive: true });
    }
  });
});
