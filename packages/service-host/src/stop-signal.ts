/** A process group signal arrives twice, milliseconds apart, when the parent also forwards it. */
const DUPLICATE_SIGNAL_MS = 300;

/** Resolves with the first SIGTERM or SIGINT. A later signal ends the process at once. */
export function waitForStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let receivedAt: number | undefined;
    const onSignal = (signal: NodeJS.Signals): void => {
      const now = performance.now();
      if (receivedAt === undefined) {
        receivedAt = now;
        resolve(signal);
      } else if (now - receivedAt > DUPLICATE_SIGNAL_MS) {
        process.removeAllListeners(signal);
        process.kill(process.pid, signal);
      }
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
  });
}
