import type { EnginePorts } from '../model/ports.ts';
import { ignoreErrors } from '../run/state/ignore-errors.ts';

/**
 * Returns the ports of a run that only the result of a tool can disturb: neither the log nor the records nor a caller's
 * progress can.
 */
export const tolerantPorts = (ports: EnginePorts): EnginePorts => ({
  callTool: (call, context) => ports.callTool(call, context),
  now: () => ports.now(),
  ...(ports.elapsed !== undefined && { elapsed: () => ports.elapsed?.() ?? 0 }),
  newId: () => ports.newId(),
  warn: (text) => ignoreErrors(() => ports.warn(text)),
  record: async (record) => {
    try {
      await ports.record(record);
    } catch {
      // The run goes on.
    }
  },
  ...(ports.report !== undefined && {
    report: (event) => ignoreErrors(() => ports.report?.(event)),
  }),
  ...(ports.pause !== undefined && { pause: async () => ports.pause?.() }),
  ...(ports.isolate !== undefined && { isolate: ports.isolate.bind(ports) }),
});
