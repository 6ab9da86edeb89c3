import type * as vscode from 'vscode';
import { usableModels } from './usableModels.ts';

/** The model with the smallest context that can be picked: the first whose context is full. None where none is at hand. */
export async function smallestModel(): Promise<vscode.LanguageModelChat | undefined> {
  try {
    const models = await usableModels();
    return models
      .filter((model) => model.maxInputTokens > 0)
      .toSorted((a, b) => a.maxInputTokens - b.maxInputTokens)[0];
  } catch {
    return undefined;
  }
}
