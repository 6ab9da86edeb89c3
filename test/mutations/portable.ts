import type { Rows } from './edit.ts';

/** Portable entries, in files of folders and on the way to windows. */
export const portable: Rows = {
  'An entry of a folder’s file that looks like a portable one, and runs something else': [
    ['src/config/clients/portableEntry.ts', 'if (isPlain && command', 'if (command'],
  ],
  'A portable entry of a folder’s file that has the name of a server of yours': [
    [
      'src/servers/merge/serversOfOneName.ts',
      "if (status.kind === 'disabled') return backed && (",
      "if (status.kind === 'disabled') return (",
    ],
  ],
  'A portable entry in a folder that isn’t open, beside one that is, or that links to it by name alone': [
    ['src/bridge/gateway/outside/windowsHere.ts', 'if (isWithin && real.length', 'if (real.length'],
  ],
  'MCP Switchboard is made to run itself, by an entry in other words': [
    ['src/bridge/gateway/outside/connect.ts', 'if (name === OURSELVES) throw', 'if (false) throw'],
  ],
  'A folder for portable entries that other users can write': [
    ['src/bridge/gateway/outside/windowRecords.ts', '(found.mode & 0o022) === 0', 'true'],
  ],
  'A portable entry in a workspace where nobody let agents in': [
    ['src/bridge/gateway/outside/windowRecords.ts', 'if (socket === this.#socket) rmSync', 'if (false) rmSync'],
    [
      'src/bridge/gateway/outside/outsideGateway.ts',
      'this.#server = this.#disposables.add(new PrivateServer(',
      'this.#server = (new PrivateServer(',
    ],
  ],
};
