import { resolve } from 'node:path';
import { retryAssertion } from '@gateway/repo-checks';
import { findFreePort } from '@gateway/test-peers';
import { APP } from './gateway.ts';
import { atEnd } from './lifetime.ts';
import { startNode, type RunningProcess } from './process.ts';

const AGENT_MANAGER = resolve(APP, '../agent-manager/dist/cli.js');

/** Starts agent-manager, which accepts ID tokens of an issuer with its own audience only. The end stops it. */
export const startAgentManager = async (
  issuer: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<RunningProcess & { readonly url: string }> => {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const running = startNode(
    [
      ...[AGENT_MANAGER, 'serve', '--port', String(port), '--public-url', url, '--enable-oauth'],
      ...['--oauth-issuer', issuer, '--oauth-audiences', 'agent-manager', ...args],
    ],
    { env },
  );
  atEnd(() => running.stop());
  await retryAssertion(async () => {
    const { status } = await fetch(`${url}/readyz`);
    if (status !== 200) throw new Error(`${status} ${running.stderr.join('\n')}`);
  });
  return { ...running, url };
};
