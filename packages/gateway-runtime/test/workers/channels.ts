import { EventEmitter } from 'node:events';
import { Channel } from '../../src/workers/channel.ts';

/** The two ends of a channel inside this process. */
export function channels(): { primary: Channel; worker: Channel; close: () => void } {
  const events = new EventEmitter();
  const end = (self: string, other: string): Channel =>
    new Channel({
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
