import { setTimeout as pause } from 'node:timers/promises';
import type { ReadTextResult } from './read-text.ts';

/** The number of attempts while the file changes. */
export interface SettleOptions {
  readonly attempts: number;
  /** The pause between attempts, in milliseconds. */
  readonly pauseMs: number;
}

/** Reads until the file no longer changes during the read, up to the number of attempts. */
export const readSettledText = async (
  read: () => ReadTextResult | Promise<ReadTextResult>,
  { attempts, pauseMs }: SettleOptions,
): Promise<ReadTextResult> => {
  let result = await read();
  for (let attempt = 1; attempt < attempts && result.kind === 'unsettled'; attempt += 1) {
    await pause(pauseMs);
    result = await read();
  }
  return result;
};
