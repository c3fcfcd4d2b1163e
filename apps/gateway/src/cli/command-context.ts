import type { Ending } from '../ending.ts';
import type { CliIo } from './cli-io.ts';

/** What every command gets: the world, and where to say how it ended. */
export interface CommandContext {
  readonly io: CliIo;
  readonly end: (ending: Ending) => void;
}
