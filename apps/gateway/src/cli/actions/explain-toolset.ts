import type { Ending } from '../../ending.ts';
import type { CliIo } from '../cli-io.ts';
import type { ClientArguments } from '../commands/client-arguments.ts';

/** Placeholder until the gateway explains. */
export function explainToolset(_s: string, _a: ClientArguments, _io: CliIo): Promise<Ending> {
  return Promise.resolve('failed');
}
