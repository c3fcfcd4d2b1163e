import type { CliIo, CliOutput } from '../cli-io.ts';

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] };

/** A style of text on a terminal. */
export type TextStyle = keyof typeof CODES;

/** Returns the text in a style, or unchanged where colours are off. */
export type Style = (name: TextStyle, text: string) => string;

const plain: Style = (_name, text) => text;

const coloured: Style = (name, text) => {
  const [on = 0, off = 0] = CODES[name];
  return `\u001B[${on}m${text}\u001B[${off}m`;
};

/** Returns the styles of an output. They are plain outside of terminals, with `NO_COLOR` (no-color.org) and with `TERM=dumb`. */
export const styleOf = (output: CliOutput, env: CliIo['env']): Style =>
  output.isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb' ? coloured : plain;
