const fs = require('node:fs');

/**
 * The next step of the test's script, or undefined when there is none. Read anew each time, so that a test can write
 * one turn after another. Steps: `{call: {name, input}}`, `{calls: […]}`, `{text}`; after the last one: "(end of script)".
 * A step `{sampled: {text, calls, waits}}` is no step of the agent's: it answers requests that aren't the agent's, the first
 * such step those without results, the next those with one, and so on; with `waits` only when they are cancelled.
 * In place of the steps, the file may hold `{prompts: {TEXT: steps}}`: those whose text is in the prompt are played, so that
 * an agent and what it starts are told apart.
 */
exports.scriptedStep = ({ results, prompt }, tools) => {
  const file = process.env.MCP_SWITCHBOARD_SCRIPT;
  if (!file) return undefined;
  let script;
  try {
    script = JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    return { text: `The script could not be read: ${error.message}` };
  }
  if (script.prompts) script = Object.entries(script.prompts).find(([text]) => prompt.includes(text))?.[1] ?? [];
  const isAgent = tools.some(({ name }) => name === 'mcp_call_tool');
  const sampled = script.flatMap((step) => step.sampled ?? []);
  if (!isAgent && sampled.length > 0) return sampled[Math.min(results.length, sampled.length - 1)];
  script = script.filter((step) => !step.sampled);
  // The number of results and not of requests: the agent repeats a request that failed.
  let seen = 0;
  for (const step of script) {
    const calls = step.calls ?? (step.call ? [step.call] : []);
    if (results.length < seen + Math.max(calls.length, 1)) return { text: step.text, calls };
    seen += calls.length;
  }
  return { text: '(end of script)' };
};

/** Appends what the agent offered and returned, as one line of JSON. */
exports.logRequest = (tools, turn) => {
  const file = process.env.MCP_SWITCHBOARD_SCRIPT_LOG;
  if (!file) return;
  const offered = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  fs.appendFileSync(file, `${JSON.stringify({ offered, ...turn })}\n`);
};

const capabilitiesFile = () =>
  process.env.MCP_SWITCHBOARD_SCRIPT && `${process.env.MCP_SWITCHBOARD_SCRIPT}.capabilities`;

/**
 * What a test says that the model can do, beside what it can by default; `smallerContext`: a second model has that many
 * tokens. Notes for the test that it was told.
 */
exports.scriptedCapabilities = () => {
  const file = capabilitiesFile();
  if (!file || !fs.existsSync(file)) return {};
  const text = fs.readFileSync(file, 'utf8');
  fs.writeFileSync(`${file}.told`, text);
  return JSON.parse(text);
};

/** Tells the editor when a test says something else. */
exports.onDidChangeCapabilities = (listener) => whenChanged(capabilitiesFile(), listener);

/**
 * Sets the settings of the user that a test writes into a file, null for none, and notes that it did: the editor doesn't
 * look at its own settings file while a window is open.
 * @param {(name: string, value: unknown) => Thenable<void>} set
 */
exports.followSettings = (set) => {
  const file = process.env.MCP_SWITCHBOARD_SCRIPT && `${process.env.MCP_SWITCHBOARD_SCRIPT}.settings`;
  const follow = async () => {
    const text = fs.readFileSync(file, 'utf8');
    for (const [name, value] of Object.entries(JSON.parse(text))) await set(name, value ?? undefined);
    fs.writeFileSync(`${file}.told`, text);
  };
  // What was written before this extension started is no change.
  if (file && fs.existsSync(file)) void follow();
  return whenChanged(file, follow);
};

function whenChanged(file, listener) {
  if (!file) return { dispose() {} };
  const changed = () => void listener();
  fs.watchFile(file, { interval: 200 }, changed);
  return { dispose: () => fs.unwatchFile(file, changed) };
}
