import type { JSONRPCMessage, MessageExtraInfo, Transport } from '@modelcontextprotocol/client';

/** A transport that may say what the text of a message is: who keeps messages needn't write them again. */
export interface TextTransport extends Omit<Transport, 'onmessage'> {
  /** `text`: of this message alone, where it is at hand. */
  onmessage?:
    ((message: JSONRPCMessage, extra?: MessageExtraInfo & { readonly text?: string | undefined }) => void) | undefined;
  /** Sends a message that is JSON. */
  sendText?(text: string): Promise<void>;
}
