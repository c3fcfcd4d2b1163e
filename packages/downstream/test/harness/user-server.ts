import type { Principal } from '@gateway/call-contract';
import type { Downstream, DownstreamOptions, DownstreamOutcome } from '../../src/index.ts';
import { testCredentials, user } from './credentials.ts';
import { running } from './downstream.ts';
import { oauthServer, startProtectedHttp } from './protected-http.ts';
import type { RawHttpOptions } from './raw-http.ts';

export const ada = user('ada');
export const bob = user('bob');

/** The server `notes`, which ada (`ada-1`) and bob (`bob-1`) can sign in to. */
export const startNotes = async (
  http: RawHttpOptions = {},
  options: Partial<DownstreamOptions> = {},
  spec: Readonly<Record<string, unknown>> = {},
) => {
  const raw = await startProtectedHttp(['ada-1', 'bob-1'], http);
  const credentials = testCredentials();
  const opened = await running([oauthServer('notes', raw.url, spec)], { credentials, ...options });
  const { downstream } = opened;
  /** Signs users in and connects them. */
  const signIn = async (...principals: readonly Principal[]): Promise<void> => {
    for (const principal of principals)
      credentials.signIn('notes', principal, `${principal.subject}-1`);
    await Promise.all(principals.map(async (principal) => downstream.prepare(principal)));
  };
  return { http: raw, credentials, signIn, ...opened };
};

/** Calls a tool of the server as a user. */
export const callNotes = (
  downstream: Downstream,
  principal: Principal,
  tool = 'result',
  args: Readonly<Record<string, unknown>> = { result: { fine: 1 } },
): Promise<DownstreamOutcome> =>
  downstream.callTool({ server: 'notes', tool, arguments: args }, { principal });

/** Returns the names of the tools that a user sees. */
export const toolsOf = (downstream: Downstream, principal: Principal): readonly string[] =>
  (downstream.inventoriesFor(principal) ?? []).flatMap(({ tools }) =>
    tools.map(({ name }) => name),
  );
