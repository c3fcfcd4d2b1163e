import process from 'node:process';
import type { JsonMap } from '@gateway/crd-schemas';
import { createChannel, portToParent, serveLink } from '@gateway/process-link';
import { doIsolatedWork } from '@gateway/workflow-engine';
import type { Isolation } from './isolation-contract.ts';
import { ValuePacker } from './packed-value.ts';
import { ValueUnpacker } from './unpacked-value.ts';

/** Does isolated work. This file is a program of its own; the gateway starts it and ends it. */
class IsolatedWorker implements Isolation {
  #work = new ValueUnpacker();
  #result: ValuePacker | undefined;

  push(part: string): Promise<void> {
    this.#work.add(part);
    return Promise.resolve();
  }

  pull(): Promise<string> {
    this.#result ??= new ValuePacker(doIsolatedWork(this.#work.value as JsonMap));
    const part = this.#result.next();
    if (part === undefined) {
      this.#work = new ValueUnpacker();
      this.#result = undefined;
    }
    return Promise.resolve(part ?? '');
  }
}

// The gateway receives the same signals and may still need results while it drains.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
const port = createChannel<'isolation'>(portToParent()).port('isolation');
port.onClose(() => process.exit(0));
serveLink(port, new IsolatedWorker());
