import type { Worker } from 'node:cluster';
import process from 'node:process';
import type { ProcessEnd } from './channel.ts';

/** The primary's end of the channel to a worker. */
export function endTo(worker: Worker): ProcessEnd {
  return {
    send: (message, sent) => {
      // A worker that is gone is noticed by its exit; what cannot be sent to it any more is of no use.
      if (worker.isConnected()) worker.process.send(message, undefined, undefined, sent);
      else sent();
    },
    onMessage: (handler) => {
      worker.on('message', handler);
    },
    onClose: (handler) => {
      worker.once('disconnect', handler);
      worker.once('exit', handler);
    },
  };
}

/** A worker's end of the channel to its primary. */
export function endToPrimary(): ProcessEnd {
  return {
    send: (message, sent) => {
      if (process.connected) process.send?.(message, undefined, undefined, sent);
      else sent();
    },
    onMessage: (handler) => {
      process.on('message', handler);
    },
    onClose: (handler) => {
      process.once('disconnect', handler);
    },
  };
}
