import type { ClientArguments } from './client-arguments.ts';

/** Arguments of `gateway servers logs`. */
export interface LogsArguments extends ClientArguments {
  readonly lines: number;
  readonly follow?: boolean;
}
