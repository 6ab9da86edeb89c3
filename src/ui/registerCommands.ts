import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { messageOf } from '../base/errors.ts';
import type { CommandPorts } from './commandPorts.ts';
import { localized } from '../bridge/text/localized.ts';

/**
 * Registers every command of the manifest. The error of a command is shown to the user.
 * @param ids as the manifest declares them
 */
export function registerCommands(ids: readonly string[], ports: CommandPorts): Disposable {
  const store = new DisposableStore();
  for (const id of ids) {
    store.add(
      vscode.commands.registerCommand(id, async (...args: unknown[]) => {
        try {
          const { commandsOf } = await import('./commands.ts');
          return await commandsOf(ports)[id]?.(...args);
        } catch (error) {
          ports.logs.logger().log('error', `${id}: ${messageOf(error)}`);
          const { notify } = await import('../bridge/dialogs/showNotification.ts');
          void notify('error', localized(messageOf(error)));
          if (ports.isTest) throw error;
          return undefined;
        }
      }),
    );
  }
  return store;
}
