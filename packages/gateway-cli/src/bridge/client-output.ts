import type { Writable } from 'node:stream';
import { escapeInvisible, RPC_CODE } from '@gateway/call-contract';
import type { RpcId } from './client-message.ts';

/** A JSON text may have line ends between its tokens, never inside a string. */
const LINE_ENDS = /[\r\n]+/gu;

/** The messages to the client, one line each. */
export class ClientOutput {
  readonly #output: Writable;
  #isClosed = false;
  #drained: Promise<void> | undefined;

  constructor(output: Writable, onClosed: () => void) {
    this.#output = output;
    const close = (): void => {
      this.#isClosed = true;
      onClosed();
    };
    output.once('close', close);
    output.on('error', close);
  }

  /** Writes a JSON text; only line ends and invisible characters are written in another way. Resolves when the client can take more. */
  async write(text: string): Promise<void> {
    if (this.#isClosed) return;
    const line = text.includes('\n') || text.includes('\r') ? text.replace(LINE_ENDS, '') : text;
    if (this.#output.write(`${escapeInvisible(line)}\n`)) return;
    this.#drained ??= this.#whenDrained();
    await this.#drained;
  }

  /** Answers a request with an error of the bridge. */
  fail(id: RpcId | null, message: string, code: number = RPC_CODE.transport): Promise<void> {
    return this.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
  }

  /** Sends a notification. */
  notify(method: string, params?: object): Promise<void> {
    return this.write(JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) }));
  }

  #whenDrained(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#output.off('drain', done).off('close', done);
        this.#drained = undefined;
        resolve();
      };
      this.#output.on('drain', done).on('close', done);
    });
  }
}
