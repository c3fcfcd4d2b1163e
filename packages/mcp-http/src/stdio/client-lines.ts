import { InFlight } from '@gateway/call-contract';
import { createLineSplitter, objectText, oneLine } from '@gateway/mcp-wire';
import {
  parseJSONRPCMessage,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import type { Readable, Writable } from 'node:stream';
import { parseBody, type BodyLimits } from '../http/request-body.ts';
import { errorMessage, idOf } from '../protocol/json-rpc.ts';
import { isRequest } from '../protocol/legacy-message.ts';
import { dropNullMembers } from '../protocol/null-members.ts';
import { refusalError, type Refusal } from '../protocol/refusal.ts';
import { isCallMethod } from '../protocol/service-methods.ts';
import type { MessageTexts } from './connection-sink.ts';

/** A call of the client, and the text of its response once that is known. */
interface OpenCall {
  readonly request: JSONRPCRequest;
  response?: string;
}

/** Without a listener a late error of the stream would end the process. */
const ignoreError = (): void => undefined;

/**
 * The lines of one client. The SDK's objects exchange values over it; calls and their responses keep their text, as they do over HTTP.
 */
export class ClientLines implements Transport, MessageTexts {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #limits: BodyLimits;
  readonly #calls = new InFlight<RequestId, OpenCall>();
  #isClosed = false;

  constructor(input: Readable, output: Writable, limits: BodyLimits) {
    this.#input = input;
    this.#output = output;
    this.#limits = limits;
  }

  start(): Promise<void> {
    const { maxBodyBytes } = this.#limits;
    const splitter = createLineSplitter(maxBodyBytes, (line) => this.#take(line));
    this.#onData = (chunk) => {
      if (splitter.push(chunk).ok) return;
      this.#refuse({ code: 'body-too-large', limit: maxBodyBytes });
      this.#onEnd();
    };
    this.#input.on('data', this.#onData).on('error', this.#onError);
    this.#input.on('end', this.#onEnd).on('close', this.#onEnd);
    this.#output.on('error', this.#onOutputError);
    if (this.#input.readableEnded || this.#input.destroyed) setImmediate(this.#onEnd);
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error('the client has closed the connection'));
    const id = 'method' in message ? undefined : message.id;
    const text = (id === undefined ? undefined : this.#calls.get(id)?.response) ?? textOf(message);
    if (id !== undefined) this.#calls.delete(id);
    return new Promise((resolve) => {
      if (this.#writeLine(text)) resolve();
      else {
        const done = (): void => {
          this.#output.off('drain', done).off('close', done);
          resolve();
        };
        this.#output.on('drain', done).on('close', done);
      }
    });
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    const input = this.#input;
    input.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onEnd);
    input.off('error', this.#onError).on('error', ignoreError);
    this.#output.off('error', this.#onOutputError).on('error', ignoreError);
    if (input.listenerCount('data') === 0) input.pause();
    this.#calls.clear();
    this.onclose?.();
    return Promise.resolve();
  }

  received(id: RequestId): JSONRPCRequest | undefined {
    return this.#calls.get(id)?.request;
  }

  respond(id: RequestId, response: string | undefined): void {
    const call = this.#calls.get(id);
    if (response === undefined) this.#calls.delete(id);
    else if (call !== undefined) call.response = response;
  }

  write(message: string): void {
    if (!this.#isClosed) this.#writeLine(message);
  }

  #onData: (chunk: Buffer) => void = () => undefined;

  readonly #onEnd = (): void => void this.close();

  readonly #onError = (error: Error): void => this.onerror?.(error);

  readonly #onOutputError = (error: Error): void => {
    this.onerror?.(error);
    this.#onEnd();
  };

  #take(line: Uint8Array): void {
    if (this.#isClosed) return;
    const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
    const read = parseBody(bytes, this.#limits);
    if (read.kind === 'refused') this.#unreadable(read.refusal);
    else this.#deliver(read.value);
  }

  /** A line that is not JSON is passed over: a terminal or a wrapper may write one. */
  #unreadable(refusal: Refusal): void {
    if (refusal.code !== 'not-json') this.#refuse(refusal);
  }

  #deliver(value: unknown): void {
    dropNullMembers(value);
    try {
      parseJSONRPCMessage(value);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    if (isRequest(value) && isCallMethod(value.method))
      this.#calls.set(value.id, { request: value });
    this.onmessage?.(value as JSONRPCMessage);
  }

  #refuse(refusal: Refusal): void {
    this.#writeLine(errorMessage(idOf(undefined), refusalError(refusal)));
  }

  #writeLine(text: string): boolean {
    return this.#output.write(`${oneLine(text)}\n`);
  }
}

const textOf = (message: JSONRPCMessage): string => objectText({ ...message });
