import {
  addServeOptions,
  resolveOauth,
  resolveStore,
  type ServiceArguments,
  openSignIn,
} from '@gateway/agent-manager-service';
import { Command } from 'commander';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { startListening } from '../../src/serving/listening-service.ts';
import { openServices } from '../../src/serving/open-services.ts';

/** agent-manager in this process, with the options of a command line. */
export interface GuardedService {
  readonly url: string;
  /** The log so far, of every level. */
  readonly log: () => string;
}

/** Starts agent-manager with sign-in. The end of the test stops it. */
export const startGuarded = async (...args: readonly string[]): Promise<GuardedService> => {
  const command = addServeOptions(new Command());
  command.parse(['--public-url', 'http://agents.example.com', '--enable-oauth', ...args], {
    from: 'user',
  });
  const options = command.opts<ServiceArguments>();
  const [store, oauth] = [resolveStore(options), resolveOauth(options)];
  if (!store.ok || !oauth.ok || oauth.oauth === undefined) throw new Error('wrong options');
  let log = '';
  const logger = pino({ level: 'trace' }, { write: (line: string) => void (log += line) });
  const { issuers: tokens, publicUrl } = oauth.oauth;
  const signIn = await openSignIn({ tokens, publicUrl, logger });
  if (!signIn.ok) throw new Error(signIn.problem);
  const serveOptions = { ...options, releases: store.store, oauth: oauth.oauth };
  const opened = await openServices(serveOptions, logger, {});
  if (!opened.ok) throw new Error(opened.problem);
  const listening = await startListening({
    ...opened.services,
    namespaces: options.namespaces,
    address: { host: '127.0.0.1', port: 0 },
    signIn: signIn.signIn,
    logger,
  });
  onTestFinished(async () => {
    await listening.drain(1_000);
    await opened.services.store.close();
    await signIn.signIn.close();
  });
  return { url: listening.url, log: () => log };
};
