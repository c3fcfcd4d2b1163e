import process from 'node:process';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Driver } from './driver.ts';
import { sdkDriver, type Revisions } from './sdk-driver.ts';

/** Returns the arguments of a bridge for an address and headers. */
export type BridgeArguments = (
  url: string,
  headers: Readonly<Record<string, string>>,
) => readonly string[];

/** A bridge from stdio to HTTP, with the official TypeScript SDK as its client. @param program a Node script */
export const bridgeDriver = (
  program: string,
  argumentsOf: BridgeArguments,
  revisions?: Revisions,
): Driver =>
  sdkDriver(
    ({ url, headers = {} }) =>
      new StdioClientTransport({
        command: process.execPath,
        args: [program, ...argumentsOf(url, headers)],
        stderr: 'ignore',
      }),
    revisions,
  );
