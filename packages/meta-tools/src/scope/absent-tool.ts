import type { JsonObject } from '@gateway/call-contract';
import type { Refusal } from '../contract/refusal.ts';
import {
  unavailableRefusal,
  unavailableTool,
  wouldSelect,
  type FindTool,
} from './last-known-tools.ts';
import type { RequestContext } from './request-context.ts';
import { findServerWithoutTokens, signInServerOf } from './signed-out-servers.ts';

type Context = Pick<RequestContext, 'ports' | 'presets' | 'scope' | 'call'>;

/** Why a tool that the toolset of the request selects is not in the catalog now. */
export type AbsentToolRefusal = Extract<
  Refusal,
  { readonly code: 'tool.sign-in-required' | 'tool.unavailable' }
>;

const requiresSignIn = (server: string, { ports, call }: Context): boolean =>
  ports.serversRequiringAuth(call.principal).some(({ name }) => name === server);

/**
 * Returns why a tool that the catalog does not have cannot be called now: its server requires sign-in, may receive no tokens, or was
 * connected and is down.
 * `undefined` when the toolset of the request would not select it, or no such server has it.
 *
 * @param context with `find`, which finds the tool in the last known lists; by its exposed name when absent
 * @spec §7.2
 */
export const absentToolRefusal = (
  name: string,
  args: JsonObject,
  context: Context & { readonly find?: FindTool },
): AbsentToolRefusal | undefined => {
  const barred = findServerWithoutTokens(name, context);
  if (barred !== undefined) {
    const state = `without tokens: ${barred.problem}`;
    return { code: 'tool.unavailable', name, server: barred.name, state };
  }
  const signIn = signInServerOf(name, context);
  if (signIn !== undefined) return { code: 'tool.sign-in-required', name, server: signIn };
  const unavailable = unavailableTool(name, context, context.find);
  if (unavailable === undefined || !wouldSelect(unavailable, context)) return undefined;
  const refusal = unavailableRefusal(name, args, unavailable);
  const { server } = refusal;
  return requiresSignIn(server, context)
    ? { code: 'tool.sign-in-required', name, server }
    : refusal;
};
