import * as vscode from 'vscode';

/**
 * The models that answer. The editor also lists those that only sessions of one kind can use (of Copilot CLI and of Agent
 * Host, VS Code 1.139): sent a request they fail, or answer nothing. What tells them apart is that they count no tokens.
 */
export async function usableModels(): Promise<readonly vscode.LanguageModelChat[]> {
  const models = await vscode.lm.selectChatModels();
  const answers = await Promise.all(models.map(answersRequests));
  return models.filter((_model, index) => answers[index]);
}

async function answersRequests(model: vscode.LanguageModelChat): Promise<boolean> {
  try {
    return (await model.countTokens('How many tokens are these?')) > 0;
  } catch {
    // That it can't count says nothing of its answers.
    return true;
  }
}

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
