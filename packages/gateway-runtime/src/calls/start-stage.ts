import type { CallStage } from './stage.ts';

/** Delays calls until the start of each server was attempted: a client over stdio has no readiness endpoint. */
export const waitForStart =
  (started: Promise<unknown>): CallStage =>
  async (call, context, next) => {
    await started;
    return next(call, context);
  };
