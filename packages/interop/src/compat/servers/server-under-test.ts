import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pinned } from '../install/pinned.ts';
import type { ServerSpec } from '../stage/config-directory.ts';

/** A server of another project. */
export interface ServerUnderTest extends Pinned {
  /** Its name in the gateway. */
  readonly id: string;
  readonly transport: 'Streamable HTTP' | 'stdio';
  /** The server lists resources, or prompts. */
  readonly has?: readonly ('prompts' | 'resources')[];
  /** Installs the server, unless it is. @param folder an empty folder of its own */
  readonly prepare: (folder: string) => Promise<PreparedServer>;
}

/** An installed server. */
export interface PreparedServer {
  readonly spec: ServerSpec;
  /** A call and a text in its answer. */
  readonly call: {
    readonly tool: string;
    readonly arguments: Readonly<Record<string, unknown>>;
    readonly shows: string;
  };
  /** A Node script that must run before the gateway, and the port on which it listens. */
  readonly program?: {
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly port: number;
  };
}

/** The content of the file that file servers read. */
export const TEXT = 'A file of the compatibility suite.';

/** Returns the `spec` of a server that the gateway starts. */
export const stdio = (command: string, ...args: readonly string[]): ServerSpec => ({
  type: 'stdio',
  command,
  args,
});

/** Writes the file that file servers read, and returns its path. */
export function writeSample(folder: string): string {
  const file = join(folder, 'sample.txt');
  writeFileSync(file, TEXT);
  return file;
}

/** A call that several servers for tests answer. */
export const echo = { tool: 'echo', arguments: { message: 'hello' }, shows: 'Echo: hello' };
