import { createBufferedIo, runCli } from '@gateway/gateway-cli';
import { signIn, createTestUser, type SignInOptions } from '@gateway/test-peers';
import { vi } from 'vitest';
import { UNSERVED, type CommandRun } from '../run-command.ts';
import { useDirectory } from '../use-directory.ts';

type SignInAct = (url: string, stderr: string) => Promise<unknown>;

/** The first command of a process loads its modules. */
const WAIT = { timeout: 60_000 };
const SIGN_INS = 'mcp-gateway/sign-ins.json';

/** Returns the home of a user on a machine without a keyring, and the commands of that user. */
export const useHome = () => {
  const directory = useDirectory();

  /** Runs a command. `act` runs with the first URL that the command prints to stderr. */
  const run = async (args: readonly string[], act?: SignInAct, env = {}): Promise<CommandRun> => {
    const home = { XDG_CONFIG_HOME: directory.path, GATEWAY_KEYRING: 'off' };
    const io = createBufferedIo({ env: { ...home, ...env } });
    const running = runCli(args, io, UNSERVED);
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

  return {
    run,
    auth: (...args: readonly string[]) => run(['auth', ...args]),
    listTools: (url: string) => run(['tools', 'list', '--url', url]),
    /** The file of the sign-ins. */
    file: () => directory.resolve(SIGN_INS),
    hasFile: () => directory.has(SIGN_INS),
    mode: () => directory.mode(SIGN_INS),
    read: (): Record<string, { readonly signIn: Record<string, unknown> }> =>
      JSON.parse(directory.read(SIGN_INS)),
    write: (value: object) => directory.write(SIGN_INS, value),
    /** Signs alice in with the browser flow. */
    login: (args: readonly string[], options: SignInOptions = {}, env = {}) =>
      run(
        ['auth', 'login', '--no-browser', '--timeout', '30', ...args],
        (url) => signIn(url, createTestUser('alice'), options),
        env,
      ),
  };
};
