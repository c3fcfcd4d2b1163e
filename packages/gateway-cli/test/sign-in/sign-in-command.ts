import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBufferedIo, runCli } from '@gateway/gateway-cli';
import { signIn, createTestUser, type SignInOptions } from '@gateway/test-peers';
import { vi } from 'vitest';
import type { CommandRun } from '../run-command.ts';

/** The home of a user on a machine without a keyring. */
export interface UserHome {
  readonly env: Readonly<Record<string, string>>;
  /** The file of the sign-ins. */
  readonly file: string;
  readonly remove: () => void;
}

/** Creates an empty home. */
export const createHome = (): UserHome => {
  const directory = mkdtempSync(join(tmpdir(), 'sign-in-'));
  return {
    env: { XDG_CONFIG_HOME: directory, GATEWAY_KEYRING: 'off' },
    file: join(directory, 'mcp-gateway', 'sign-ins.json'),
    remove: () => rmSync(directory, { recursive: true }),
  };
};

/** The first command of a process loads its modules. */
const WAIT = { timeout: 60_000 };

const serving = () => Promise.resolve('failed' as const);

const noProblem = () => Promise.resolve(undefined);

/** Runs a command in the home. `act` runs with the first URL that the command prints to stderr. */
export const run = async (
  { env }: Pick<UserHome, 'env'>,
  args: readonly string[],
  act?: (url: string, stderr: string) => Promise<unknown>,
): Promise<CommandRun> => {
  const io = createBufferedIo({ env });
  const running = runCli(args, io, {
    serve: serving,
    serveStdio: serving,
    stateProblem: noProblem,
    toolsetProblem: () => undefined,
    probeServers: () => Promise.reject(new Error('no command of this test')),
  });
  if (act !== undefined) {
    const url = await vi.waitFor(() => {
      const [printed] = /^https?:\S+$/mu.exec(io.written.stderr) ?? [];
      if (printed === undefined) throw new Error(`no URL: ${io.written.stderr}`);
      return printed;
    }, WAIT);
    await act(url, io.written.stderr);
  }
  const code = await running;
  return { code, ...io.written };
};

/** Signs a user in with the browser flow. */
export const runLogin = (
  home: UserHome,
  args: readonly string[],
  { user = 'alice', ...options }: SignInOptions & { readonly user?: string } = {},
): Promise<CommandRun> =>
  run(home, ['auth', 'login', '--no-browser', '--timeout', '30', ...args], (url) =>
    signIn(url, createTestUser(user), options),
  );
