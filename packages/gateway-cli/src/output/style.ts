import type { CliIo, CliOutput } from '../cli-io.ts';

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] };

/** A look that a text may have on a terminal. */
export type Look = keyof typeof CODES;

/** Gives a text a look, or leaves it as it is where there are no colours. */
export type Style = (look: Look, text: string) => string;

const plain: Style = (_look, text) => text;

const coloured: Style = (look, text) => {
  const [on = 0, off = 0] = CODES[look];
  return `\u001B[${on}m${text}\u001B[${off}m`;
};

/** Colours are for terminals, and for nobody who sets `NO_COLOR` (no-color.org) or has a terminal without them. */
export const styleOf = (output: CliOutput, env: CliIo['env']): Style =>
  output.isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb' ? coloured : plain;
