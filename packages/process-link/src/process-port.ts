import type { ChildProcess } from 'node:child_process';
import process from 'node:process';
import type { LinkPort } from './link-port.ts';

/** Returns the parent's end of the message channel to a child process that was started with an IPC channel. */
export const portToChild = (child: ChildProcess): LinkPort => ({
  send: (message, sent) => {
    // The exit of the child reports a failed send.
    if (child.connected) child.send(message as object, undefined, undefined, sent);
    else sent();
  },
  onMessage: (handler) => void child.on('message', handler),
  onClose: (handler) => {
    const once = runOnce(handler);
    if (!child.connected) {
      once();
      return;
    }
    child.once('disconnect', once);
    child.once('exit', once);
  },
});

/** Returns this process's end of the message channel to the parent that started it. */
export const portToParent = (): LinkPort => ({
  send: (message, sent) => {
    if (process.connected && process.send) process.send(message, undefined, undefined, sent);
    else sent();
  },
  onMessage: (handler) => void process.on('message', handler),
  onClose: (handler) => {
    if (process.connected) process.once('disconnect', handler);
    else handler();
  },
});

const runOnce = (handler: () => void): (() => void) => {
  let hasRun = false;
  return () => {
    if (hasRun) return;
    hasRun = true;
    handler();
  };
};
