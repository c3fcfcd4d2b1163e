import { isJsonObject, type Caller, type JsonObject } from '@gateway/call-contract';
import type { LoginOutcome, SignInPort } from '../tool/sign-in-port.ts';

/** A started sign-in. */
export type SignInChallenge = Extract<LoginOutcome, { readonly kind: 'challenge' }>;

/** The person's answer to the link; `unsupported` when the client cannot show it. */
export type LinkAnswer = 'accepted' | 'declined' | 'unsupported';

const takesLinks = ({ capabilities }: Caller): boolean => {
  const { elicitation } = capabilities;
  return isJsonObject(elicitation) && isJsonObject(elicitation['url']);
};

const answerOf = (result: JsonObject): LinkAnswer =>
  result['action'] === 'accept' ? 'accepted' : 'declined';

/** Opens a channel that outlives the call and reports the end of the sign-in to the client's session, where it has one. */
const reportCompletion = async (
  caller: Caller,
  { id }: SignInChallenge,
  signIn: Pick<SignInPort, 'completed'>,
): Promise<void> => {
  const opened = await caller.openNotificationChannel?.(`sign-in:${id}`);
  if (opened?.ok !== true) return;
  const { channel } = opened;
  if (await signIn.completed(id)) {
    channel.notify({ method: 'notifications/elicitation/complete', params: { elicitationId: id } });
  }
  channel.end();
};

/**
 * Sends the link of a started sign-in to a client that declares URL elicitation, and reports to it when the browser has completed
 * the sign-in. Never rejects.
 *
 * @spec MCP 2025-11-25 elicitation, URL mode
 */
export const sendSignInLink = async (
  caller: Caller | undefined,
  { server, challenge }: { readonly server: string; readonly challenge: SignInChallenge },
  signIn: Pick<SignInPort, 'completed'>,
): Promise<LinkAnswer> => {
  if (caller === undefined || !takesLinks(caller)) return 'unsupported';
  const { id, url } = challenge;
  const message = `Sign in to the MCP server '${server}'.`;
  void reportCompletion(caller, challenge, signIn);
  const answer = await caller.ask({
    method: 'elicitation/create',
    params: { mode: 'url', elicitationId: id, url, message },
  });
  return answer.ok ? answerOf(answer.result) : 'unsupported';
};
