import process from 'node:process';
import type { JsonMap } from '@gateway/crd-schemas';
import { doIsolatedWork } from '@gateway/workflow-engine';
import { ValuePacker } from './packed-value.ts';
import { ValueUnpacker } from './unpacked-value.ts';

/** A part of a packed value, or `null`: the gateway requests the result, and the process has no more of it. */
export interface IsolationMessage {
  readonly part: string | null;
}

let work = new ValueUnpacker();
let result: ValuePacker | undefined;

/** Takes a part of the work, or with `null` returns the next part of its result: `null` after the last one. */
const answer = (part: string | null): string | null => {
  if (part !== null) {
    work.add(part);
    return null;
  }
  result ??= new ValuePacker(doIsolatedWork(work.value as JsonMap));
  const next = result.next();
  if (next !== undefined) return next;
  work = new ValueUnpacker();
  result = undefined;
  return null;
};

// The gateway receives the same signals and may still need results while it drains.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit(0));
// A failure ends this process, and the gateway starts another one.
process.on('message', ({ part }: IsolationMessage) => process.send?.({ part: answer(part) }));
