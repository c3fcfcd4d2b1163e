/** A signal to a whole process group reaches a process twice when its parent passes it on too, milliseconds apart. */
const SAME_SIGNAL_MS = 300;

/** Resolves with the first signal that asks the process to end; a later one ends it at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const onSignal = (signal: NodeJS.Signals): void => {
      const now = performance.now();
      if (first === undefined) {
        first = now;
        resolve(signal);
      } else if (now - first > SAME_SIGNAL_MS) {
        process.removeAllListeners(signal);
        process.kill(process.pid, signal);
      }
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
  });
}
