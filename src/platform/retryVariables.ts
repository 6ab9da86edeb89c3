import { isRecord } from '../base/json.ts';

/**
 * What the environment variable `MCP_RETRY_CONFIG` says: a JSON object with members that are named as the settings `retry.*`. The
 * members that are numbers, as texts of variables are; none where it isn't such an object.
 */
export function retryVariables(text: string | undefined): Readonly<Record<string, string | undefined>> {
  let value: unknown;
  try {
    value = JSON.parse(text ?? '');
  } catch {
    return {};
  }
  const entries = Object.entries(isRecord(value) ? value : {});
  return Object.fromEntries(
    entries.flatMap(([name, each]) => (typeof each === 'number' ? [[name, String(each)]] : [])),
  );
}
