import { createChannel } from '@gateway/process-link';
import { EventEmitter } from 'node:events';
import type { WorkerChannel, WorkerTopic } from '../../src/workers/worker-channel.ts';

/** Returns the two ends of a channel inside this process. */
export function channels(): { primary: WorkerChannel; worker: WorkerChannel; close: () => void } {
  const events = new EventEmitter();
  const end = (self: string, other: string): WorkerChannel =>
    createChannel<WorkerTopic>({
      send: (message, sent) => {
        const copy = structuredClone(message);
        setImmediate(() => {
          events.emit(other, copy);
          sent();
        });
      },
      onMessage: (handler) => events.on(self, handler),
      onClose: (handler) => events.once('close', handler),
    });
  return {
    primary: end('primary', 'worker'),
    worker: end('worker', 'primary'),
    close: () => events.emit('close'),
  };
}
