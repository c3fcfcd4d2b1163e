import type { Readable } from 'node:stream';
import { PacedInput } from '../paced-input.ts';
import type { TurnBudget } from '../turn-budget.ts';

/**
 * Reads a stream of a child to its end, within the budget of the server.
 *
 * @param take takes a part of the output; returns `false` when the rest must be discarded
 */
export const readPaced = (
  stream: Readable,
  budget: TurnBudget,
  take: (slice: Buffer) => boolean,
): void => {
  const source = { pause: () => void stream.pause(), resume: () => void stream.resume() };
  const input = new PacedInput(budget, source, { push: take, end: () => undefined });
  stream.on('data', (chunk: Buffer) => input.push(chunk));
};
