import { resolve } from 'node:path';
import { APP } from './gateway.ts';

/** The small servers of `test/fixtures`. */
export type Fixture =
  | 'workflow'
  | 'asking'
  | 'plain'
  | 'watched'
  | 'widening'
  | 'naming'
  | 'many-tools'
  | 'silent'
  | 'dying'
  | 'large'
  | 'talking'
  | 'waiting';

/** The `spec` of a server that runs a fixture, started with the gateway. */
export function fixture(
  name: Fixture,
  options: { readonly args?: readonly string[]; readonly env?: Record<string, string> } = {},
): object {
  return {
    type: 'stdio',
    command: process.execPath,
    args: [resolve(APP, `test/fixtures/${name}-server.mjs`), ...(options.args ?? [])],
    ...(options.env && { env: options.env }),
    autoStart: true,
  };
}
