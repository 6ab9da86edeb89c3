import * as vscode from 'vscode';
import { userFilesOf } from '../../config/clients/clientFiles.ts';
import type { SourceOptions } from '../../config/configSources.ts';
import { configFileUri } from './openConfig.ts';
import type { SavePlace } from './saveServers.ts';
import type { Target } from './writeConfig.ts';

/**
 * Where servers of a scope are saved; with several folders, the user picks one.
 * @returns `undefined` where the scope has no place, or the user picks none
 */
export async function savePlaceOf(target: Target, options: SourceOptions): Promise<SavePlace | undefined> {
  const { t } = vscode.l10n;
  const { localFile } = options;
  switch (target) {
    case 'session':
      return { target, label: '' };
    case 'user':
      return { target, label: t('your settings') };
    case 'local':
      return localFile === undefined ? undefined : { target, file: vscode.Uri.file(localFile), label: localFile };
    case 'copilot': {
      const [own] = userFilesOf('copilot', options);
      return own && { target, file: vscode.Uri.file(own.file), label: own.file };
    }
    case 'project':
    case 'workspace':
    case 'repository': {
      const file = await configFileUri(target);
      // Short, as the view names it; with several folders it begins with the folder’s name.
      return file && { target, file, label: vscode.workspace.asRelativePath(file) };
    }
  }
}
