const vscode = require('vscode');
const { demoStep } = require('./demo.js');
const {
  scriptedStep,
  logRequest,
  scriptedCapabilities,
  onDidChangeCapabilities,
  followSettings,
} = require('./scripted.js');

/**
 * A chat model for the editor with no AI in it. With MCP_SWITCHBOARD_SCRIPT in the environment it plays that file for a
 * test, otherwise it follows a few simple rules for the demo.
 */
exports.activate = (context) => {
  const { Global } = vscode.ConfigurationTarget;
  context.subscriptions.push(
    followSettings((name, value) => vscode.workspace.getConfiguration().update(name, value, Global)),
  );
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider('demo-model', {
      onDidChangeLanguageModelChatInformation: onDidChangeCapabilities,
      provideLanguageModelChatInformation: () => {
        const { smallerContext, ...capabilities } = scriptedCapabilities();
        const model = {
          id: 'demo-model',
          name: 'Demo Model (scripted)',
          family: 'demo-model',
          version: '1',
          tooltip: 'Follows a few fixed rules. No AI, no account, no network.',
          maxInputTokens: 100_000,
          maxOutputTokens: 4_000,
          capabilities: { toolCalling: true, imageInput: true, ...capabilities },
          isUserSelectable: true,
        };
        const smaller = { ...model, id: 'small-model', name: 'Small Model', maxInputTokens: smallerContext };
        return smallerContext ? [model, smaller] : [model];
      },
      provideLanguageModelChatResponse: async (_model, messages, options, progress, token) => {
        const turn = readTurn(messages);
        const tools = options.tools ?? [];
        const { modelOptions } = options;
        const request = { ...turn, messages: messages.map(({ content }) => textOf(content)), modelOptions };
        logRequest(tools, request);
        const step = scriptedStep(turn, tools) ?? demoStep(turn, tools);
        if (step.waits) {
          progress.report(new vscode.LanguageModelTextPart('One moment …'));
          await new Promise((resolve) => token.onCancellationRequested(resolve));
          logRequest(tools, { ...request, cancelled: true });
          return;
        }
        if (step.text) progress.report(new vscode.LanguageModelTextPart(step.text));
        for (const [index, { name, input }] of (step.calls ?? []).entries()) {
          const id = `call-${turn.results.length + index}-${Date.now().toString(36)}`;
          progress.report(new vscode.LanguageModelToolCallPart(id, name, input));
        }
      },
      provideTokenCount: (_model, text) => {
        const length = typeof text === 'string' ? text.length : JSON.stringify(text.content).length;
        return Math.ceil(length / 4);
      },
    }),
  );
};

/**
 * What has happened since the person last said something: their text, and the results of the tools called since.
 * The agent sends tool results as messages of the user too, and puts its own text around the person's.
 */
function readTurn(messages) {
  const { User, Assistant } = vscode.LanguageModelChatMessageRole;
  const isResult = (part) => part instanceof vscode.LanguageModelToolResultPart;
  const start = messages.findLastIndex(({ role, content }) => role === User && !content.some(isResult));
  const results = messages
    .slice(start + 1)
    .flatMap(({ content }) => content.filter(isResult))
    .map(({ callId, content }) => ({ callId, text: textOf(content), data: dataOf(content) }));
  const isFirst = !messages.slice(0, start).some(({ role }) => role === Assistant);
  const earlierResults = messages.slice(0, start).flatMap(({ content }) => content.filter(isResult)).length;
  const content = messages[start]?.content ?? [];
  const dataBytes = content.map((part) => (part instanceof vscode.LanguageModelDataPart ? part.data.length : 0));
  const sizes = dataBytes.filter(Boolean);
  return { prompt: personsText(textOf(content)), data: dataOf(content), sizes, results, earlierResults, isFirst };
}

function personsText(raw) {
  return /<userRequest>\s*(?<text>[\s\S]*?)\s*<\/userRequest>/.exec(raw)?.groups?.text ?? raw.trim();
}

/** The types of images and sounds. */
function dataOf(parts) {
  return parts.filter((part) => part instanceof vscode.LanguageModelDataPart).map(({ mimeType }) => mimeType);
}

function textOf(parts) {
  return parts
    .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
    .filter(Boolean)
    .join('\n');
}
