import type * as vscode from 'vscode';
import { isRecord } from '../base/json/json.ts';

/** What a model takes; `undefined`: the editor doesn't say. */
export interface ModelTraits {
  readonly callsTools: boolean | undefined;
  readonly takesImages: boolean | undefined;
}

/**
 * What the editor says of a model. Its stable API names no such member, yet every model object has it (VS Code 1.106 and
 * 1.139); where it is missing, the model is taken to take everything.
 */
export function modelTraits(model: vscode.LanguageModelChat): ModelTraits {
  const capabilities: unknown = Reflect.get(model, 'capabilities');
  const told = isRecord(capabilities) ? capabilities : {};
  const yesOrNo = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);
  return {
    callsTools: yesOrNo(told['supportsToolCalling']),
    takesImages: yesOrNo(told['supportsImageToText']),
  };
}
