import { Absent, type Driver } from './driver.ts';

/** Why a client does not have a feature, by feature. */
export interface Limits {
  /** Progress notifications of calls. */
  readonly progress?: string;
  /** Answers to questions. */
  readonly answer?: string;
  /** Notifications of changed tools. */
  readonly watch?: string;
  /** Cancellation in revision 2026-07-28. */
  readonly cancelIn2026?: string;
}

/** A driver of a client that is known not to have some features: they are absent, whatever the driver could do. */
export function limited(driver: Driver, limits: Limits): Driver {
  let protocol = '';
  const absentIf = (reason: string | undefined, applies = true): void => {
    if (reason !== undefined && applies) throw new Absent(reason);
  };
  return {
    ...driver,
    connect: async (options) => {
      absentIf(limits.answer, options.answer !== undefined);
      const info = await driver.connect(options);
      ({ protocol } = info);
      return info;
    },
    callTool: async (call) => {
      absentIf(limits.progress, call.progress === true);
      return driver.callTool(call);
    },
    startCall: async (call) => {
      absentIf(limits.cancelIn2026, protocol >= '2026');
      await driver.startCall(call);
    },
    watch: async () => {
      absentIf(limits.watch);
      await driver.watch();
    },
  };
}
