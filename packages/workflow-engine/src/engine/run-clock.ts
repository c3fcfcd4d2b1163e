import type { EnginePorts } from '../model/ports.ts';

/** Returns the ports with a `now` that starts at the wall clock and then advances with the monotonic clock. */
export const withRunClock = (ports: EnginePorts): EnginePorts => {
  if (ports.elapsed === undefined) return ports;
  const elapsed = (): number => ports.elapsed?.() ?? 0;
  const offset = ports.now() - elapsed();
  return { ...ports, now: () => offset + elapsed() };
};
