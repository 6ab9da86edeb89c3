import { asksForToken } from './tokenRequest.ts';

/** Told of a step of a sign-in. `detail`: never a parameter, a header or a body; `ms`: how long it took. */
export type TellStep = (step: string, detail: string, ms?: number) => void;

/** `fetch` that tells what each request of a sign-in was for, where it went and what status answered it. */
export function toldRequests(inner: typeof fetch, tell: TellStep): typeof fetch {
  return async (input, init) => {
    const { origin, pathname } = new URL(input instanceof Request ? input.url : input);
    const step = stepOf(init);
    const request = `${init?.method ?? 'GET'} ${origin}${pathname}`;
    const began = performance.now();
    try {
      const response = await inner(input, init);
      tell(step, `${request}: HTTP ${response.status}`, performance.now() - began);
      return response;
    } catch (error) {
      tell(step, `${request}: no answer`, performance.now() - began);
      throw error;
    }
  };
}

function stepOf(init: RequestInit | undefined): string {
  if (asksForToken(init)) return `token (${String(new URLSearchParams(init.body).get('grant_type')).slice(0, 100)})`;
  if (init?.body instanceof URLSearchParams) return 'revocation';
  return init?.method === 'POST' ? 'registration' : 'discovery';
}
