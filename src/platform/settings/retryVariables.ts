import { isRecord } from '../../base/json/json.ts';

/**
 * What the environment variable `MCP_RETRY_CONFIG` says: the members of a JSON object that are named as the settings `retry.*`;
 * none where it isn't one.
 */
export function retryVariables(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
