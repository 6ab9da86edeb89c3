import { randomBytes } from 'node:crypto';
import { createRequestStateCodec } from '@modelcontextprotocol/server';

/** Seals what the server wants back unchanged. */
export const stateCodec = createRequestStateCodec<{ round: number }>({ key: randomBytes(32) });
