import type { ChildProcess } from 'node:child_process';
import {
  connectLink,
  createChannel,
  oneWay,
  portToChild,
  portToParent,
  serveLink,
  type Members,
} from '@gateway/process-link';

/** The contract: one interface for both processes. */
export interface Counter {
  /** A request: it may be cancelled, and it calls back while it runs. */
  count(to: number, options: CountOptions): Promise<number>;
  /** A notification: it has no result. */
  log(text: string): void;
  /** A subscription: it ends with the returned function. */
  follow(listener: (count: number) => void): () => void;
}

/** Options of a count. */
export interface CountOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (count: number) => void;
}

/** The members that are not requests. */
const COUNTER: Members<Counter> = {
  log: { kind: 'notification', maxUnsent: 1024 * 1024 },
  follow: { kind: 'subscription' },
};

/** Runs in the child process. */
export const serveCounter = (counter: Counter): void => {
  serveLink(createChannel<'counter'>(portToParent()).port('counter'), counter);
};

/** Runs in the parent process. */
export const countInChild = async (child: ChildProcess): Promise<number> => {
  const port = createChannel<'counter'>(portToChild(child)).port('counter');
  const counter = connectLink<Counter>(port, COUNTER);
  const stop = counter.follow((count) => counter.log(`counted to ${count}`));
  const total = await counter.count(1_000, {
    signal: AbortSignal.timeout(5_000),
    onProgress: oneWay((count) => console.log(count), { maxUnsent: 64 * 1024 }),
  });
  stop();
  return total;
};
