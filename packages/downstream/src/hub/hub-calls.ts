import { type Notification, plainCallFacts, type ProgressReport } from '@gateway/call-contract';
import type { DownstreamError, DownstreamOutcome, RequestOptions } from '../requests/call.ts';
import type { ControlOutcome } from '../supervision/control.ts';
import type { AcceptOutcome } from '../lists/trust/tool-change.ts';
import type { CallerNames } from './caller-names.ts';
import { createAskedQuestions } from './asked-questions.ts';
import type { AskedQuestions } from './asked-questions.ts';
import type { FromHub, HubControl, HubMethod, RequestText } from './hub-message.ts';
import type { HubPort } from './hub-port.ts';
import { HUB_GONE, UserSubscriptions } from './user-subscriptions.ts';

interface Waiting {
  readonly server: string;
  readonly options: RequestOptions;
  readonly questions: AskedQuestions;
  readonly settle: (outcome: DownstreamOutcome) => void;
}

interface Controlling {
  readonly server: string;
  readonly resolve: (outcome: ControlOutcome) => void;
}

type Accepting = (outcome: AcceptOutcome) => void;

/** Characters of requests that may wait for the hub. */
const MAX_WAITING = 256 * 1024 * 1024;
const MAX_REASON_CHARS = 200;
/** Having read less than this is told together with the next. */
const READ_STEP = 64 * 1024;

const refuse = (error: DownstreamError): DownstreamOutcome => ({ ok: false, error });

const lost = (server: string, reason: string): DownstreamOutcome =>
  refuse({ code: 'server.connection-lost', server, reason });

const reasonText = ({ reason }: AbortSignal): string => {
  const text: unknown = reason instanceof Error ? reason.message : reason;
  return typeof text === 'string' ? text.slice(0, MAX_REASON_CHARS) : '';
};

const textOf = (call: unknown, options: RequestOptions): string => {
  const text: RequestText = {
    call,
    facts: plainCallFacts(options),
    capabilities: options.caller?.capabilities,
  };
  return JSON.stringify(text);
};

/** Tells the hub how much was read, not for every little piece. */
const readCounter = (port: HubPort): ((size: number) => void) => {
  let untold = 0;
  return (size) => {
    untold += size;
    if (untold < READ_STEP) return;
    port.send({ kind: 'read', size: untold });
    untold = 0;
  };
};

/** What is asked of the hub over a port. Every call settles once, at the latest when the hub is gone. */
export class HubCalls {
  readonly #port: HubPort;
  readonly #names: CallerNames;
  readonly #requests = new Map<number, Waiting>();
  readonly #controls = new Map<number, Controlling>();
  readonly #acceptances = new Map<number, Accepting>();
  readonly #hasRead: (size: number) => void;
  /** The resources that are followed over the same port. */
  readonly subscriptions: UserSubscriptions;
  #nextId = 1;
  #waitingSize = 0;
  #isGone = false;

  constructor(port: HubPort, names: CallerNames) {
    this.#port = port;
    this.#names = names;
    this.#hasRead = readCounter(port);
    this.subscriptions = new UserSubscriptions(port);
  }

  /** Has a request carried out. */
  request(
    method: HubMethod,
    call: { readonly server: string },
    options: RequestOptions = {},
  ): Promise<DownstreamOutcome> {
    const { server } = call;
    if (options.signal?.aborted === true)
      return Promise.resolve(refuse({ code: 'request.cancelled', server }));
    if (this.#isGone) return Promise.resolve(lost(server, HUB_GONE));
    const text = textOf(call, options);
    if (this.#waitingSize > 0 && this.#waitingSize + text.length > MAX_WAITING)
      return Promise.resolve(lost(server, 'too many requests wait for it'));
    return new Promise((resolve) => {
      const id = this.#wait({ server, size: text.length, options }, resolve);
      this.#send(id, { method, text }, options);
    });
  }

  /** Has a server started, stopped or restarted. */
  control(action: HubControl, server: string): Promise<ControlOutcome> {
    if (this.#isGone) return Promise.resolve({ code: 'failed', server, reason: HUB_GONE });
    return new Promise((resolve) => {
      const id = this.#nextId++;
      this.#controls.set(id, { server, resolve });
      this.#port.send({ kind: 'control', id, action, server });
    });
  }

  /** Has what a server says of its tools accepted. */
  acceptTools(server: string, tools: readonly string[] | undefined): Promise<AcceptOutcome> {
    if (this.#isGone) return Promise.resolve({ kind: 'failed', text: HUB_GONE });
    return new Promise((resolve) => {
      const id = this.#nextId++;
      this.#acceptances.set(id, resolve);
      this.#port.send({ kind: 'accept-tools', id, server, ...(tools && { tools }) });
    });
  }

  /** Takes everything but states. */
  take(message: Exclude<FromHub, { kind: 'state' }>): void {
    if ('text' in message) this.#hasRead(message.text.length);
    if (message.kind === 'controlled') {
      this.#controls.get(message.id)?.resolve(message.outcome);
      this.#controls.delete(message.id);
      return;
    }
    if (message.kind === 'tools-accepted') {
      this.#acceptances.get(message.id)?.(message.outcome);
      this.#acceptances.delete(message.id);
      return;
    }
    if (message.kind === 'subscribed' || message.kind === 'updated') {
      this.subscriptions.take(message);
      return;
    }
    const waiting = this.#requests.get(message.id);
    if (waiting !== undefined) takeOf(waiting, message);
  }

  /** The hub is gone: ends everything that waits for it. */
  close(): void {
    this.#isGone = true;
    this.subscriptions.close();
    for (const { server, settle } of [...this.#requests.values()]) settle(lost(server, HUB_GONE));
    for (const { server, resolve } of this.#controls.values())
      resolve({ code: 'failed', server, reason: HUB_GONE });
    this.#controls.clear();
    for (const resolve of this.#acceptances.values()) resolve({ kind: 'failed', text: HUB_GONE });
    this.#acceptances.clear();
  }

  #wait(
    { server, size, options }: Pick<Waiting, 'server' | 'options'> & { readonly size: number },
    resolve: (outcome: DownstreamOutcome) => void,
  ): number {
    const id = this.#nextId++;
    const { signal, caller } = options;
    const questions = createAskedQuestions(this.#port, id, caller);
    const settle = (outcome: DownstreamOutcome): void => {
      if (!this.#requests.delete(id)) return;
      this.#waitingSize -= size;
      signal?.removeEventListener('abort', cancel);
      questions.withdrawAll();
      resolve(outcome);
    };
    const cancel = (): void => {
      if (signal !== undefined) this.#port.send({ kind: 'cancel', id, reason: reasonText(signal) });
      settle(refuse({ code: 'request.cancelled', server }));
    };
    this.#waitingSize += size;
    this.#requests.set(id, { server, options, questions, settle });
    signal?.addEventListener('abort', cancel, { once: true });
    return id;
  }

  #send(
    id: number,
    asked: { readonly method: HubMethod; readonly text: string },
    { caller, onProgress }: RequestOptions,
  ): void {
    const who = caller && {
      takesInputRequired: caller.takesInputRequired,
      identity: this.#names.of(caller.identity),
      ...(caller.logLevel !== undefined && { logLevel: caller.logLevel }),
    };
    const progress = onProgress !== undefined;
    this.#port.send({ kind: 'request', id, ...asked, progress, ...(who && { caller: who }) });
  }
}

type OfRequest = Exclude<
  FromHub,
  { kind: 'state' | 'controlled' | 'tools-accepted' | 'subscribed' | 'updated' }
>;

const takeOf = (waiting: Waiting, message: OfRequest): void => {
  const { options, questions, settle } = waiting;
  switch (message.kind) {
    case 'result': {
      const { text, verbatim } = message;
      const result = JSON.parse(text) as Readonly<Record<string, unknown>>;
      settle({ ok: true, result, ...(verbatim && { json: text }) });
      break;
    }
    case 'refused':
      settle(refuse(JSON.parse(message.text) as DownstreamError));
      break;
    case 'progress':
      options.onProgress?.(JSON.parse(message.text) as ProgressReport);
      break;
    case 'notice':
      options.caller?.notify(JSON.parse(message.text) as Notification);
      break;
    case 'question':
      questions.ask(message);
      break;
    case 'withdraw':
      questions.withdraw(message.question);
  }
};
