import { refused, type Answer } from '@gateway/agent-manager-client';
import type { AgentService } from '@gateway/agent-releases';
import type { OperationCaller } from './operation-call.ts';

/** Returns the service that acts for a caller, or the refusal. `undefined` where callers do not sign in. */
export type ServiceOf = (caller: OperationCaller | undefined) => Answer<AgentService>;

/** The service acts for all callers with the credentials of agent-manager. */
export const sharedService = (service: AgentService): ServiceOf => {
  const answer: Answer<AgentService> = { ok: true, value: service };
  return () => answer;
};

/** The compact serialisation of a signed token. RFC 7515 §3.1 */
const JWS = /^[\w-]+\.[\w-]+\.[\w-]+$/u;

const NO_IDENTITY = 'no identity token to act with towards the Kubernetes API';

/**
 * The service acts with the token of the caller only. Opaque tokens are for agent-manager alone: another API cannot verify them.
 * @param serviceWith returns the service whose requests carry a token
 */
export const callerServices =
  (serviceWith: (token: string) => AgentService): ServiceOf =>
  (caller) =>
    caller !== undefined && JWS.test(caller.token)
      ? { ok: true, value: serviceWith(caller.token) }
      : refused('unauthenticated', NO_IDENTITY);
