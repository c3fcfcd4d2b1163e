import type { CallerSignInFact } from '@gateway/caller-auth';
import { createPrincipal, toPrincipal } from '@gateway/call-contract';
import type { ServerSignInFact } from '@gateway/downstream-auth';
import type { EventSink, GatewayEvent } from '@gateway/events';
import { CONFIGURATION_NAME } from '@gateway/gateway-config';
import type { AuditRecord } from '../audit/audit-record.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { SignInMetrics } from '../metrics/metrics.ts';

type FactByCode<C extends ServerSignInFact['code']> = Extract<
  ServerSignInFact,
  { readonly code: C }
>;

/** The event of each fact; `undefined` for one that only metrics count. */
const EVENTS: {
  readonly [C in ServerSignInFact['code']]: (fact: FactByCode<C>) => GatewayEvent | undefined;
} = {
  'signed-in': ({ server: name }) => ({ reason: 'MCPServerUserSignedIn', name }),
  'signed-out': ({ server: name }) => ({ reason: 'MCPServerUserSignedOut', name }),
  'sign-in-failed': ({ server: name, problem: error }) => ({
    reason: 'MCPServerSignInFailed',
    name,
    error,
  }),
  refreshed: () => undefined,
  'refresh-refused': ({ server: name, error }) => ({
    reason: 'MCPServerTokenRefreshRefused',
    name,
    error,
  }),
  'scopes-required': ({ server: name }) => ({ reason: 'MCPServerScopesRequired', name }),
  'provider-unavailable': ({ server: name, during }) => ({
    reason: 'MCPServerProviderUnavailable',
    name,
    during,
  }),
  'forwarding-failed': ({ server: name, problem: error }) => ({
    reason: 'MCPServerTokenForwardingFailed',
    name,
    error,
  }),
  exchanged: () => undefined,
  'exchange-failed': ({ server: name, problem: error }) => ({
    reason: 'MCPServerTokenExchangeFailed',
    name,
    error,
  }),
};

// Each entry of the table belongs to one member of the union, which the compiler cannot infer.
const toEvent = <C extends ServerSignInFact['code']>(
  fact: FactByCode<C>,
): GatewayEvent | undefined => EVENTS[fact.code](fact);

type Recorded = Omit<AuditRecord, 'id' | 'time'>;

/** Returns the record of a fact; `undefined` for one that no user caused. */
const toRecord = (fact: ServerSignInFact): Recorded | undefined => {
  if (!('principalKey' in fact)) return undefined;
  const { subject, issuer } = toPrincipal(fact.principalKey);
  const { server } = fact;
  return fact.code === 'sign-in-failed'
    ? { subject, issuer, server, action: 'server.sign-in', ...createRefusal(fact.problem) }
    : { subject, issuer, server, action: ACTIONS[fact.code], decision: 'allowed' };
};

const ACTIONS = { 'signed-in': 'server.sign-in', 'signed-out': 'server.sign-out' } as const;

const createRefusal = (problem: string) =>
  ({ decision: 'refused', reason: `sign-in:${problem}` }) as const;

/** Receivers of facts about sign-ins to servers. */
export interface ServerSignInTargets {
  readonly emit: EventSink;
  readonly metrics: Pick<SignInMetrics, 'serverSignInSeen'>;
  readonly trail: AuditTrail;
}

/** Returns the observer of sign-ins to servers: events, metrics, and records of the audit log. */
export const observeServerSignIns =
  ({ emit, metrics, trail }: ServerSignInTargets) =>
  (fact: ServerSignInFact): void => {
    metrics.serverSignInSeen(fact);
    const event = toEvent(fact);
    if (event !== undefined) emit(event);
    const record = toRecord(fact);
    if (record !== undefined) trail.write(record);
  };

/** Receivers of facts about sign-ins at the gateway. */
export interface CallerSignInTargets {
  readonly emit: EventSink;
  readonly metrics: Pick<SignInMetrics, 'callerSignInSeen'>;
  readonly trail: AuditTrail;
  /** Receives the key of a principal who has signed out. */
  readonly onSignedOut: (principalKey: string) => void;
}

const CALLER_ACTIONS = {
  'signed-in': 'caller.sign-in',
  'signed-out': 'caller.sign-out',
  'consent-given': 'consent.give',
  'consent-refused': 'consent.refuse',
  'client-registered': 'client.register',
} as const;

/**
 * Returns the observer of sign-ins at the gateway: events, metrics, and records of the audit log. Failed sign-ins of a second are one record with a
 * count, because any browser can cause them.
 */
export const observeCallerSignIns =
  ({ emit, metrics, trail, onSignedOut }: CallerSignInTargets) =>
  (fact: CallerSignInFact): void => {
    metrics.callerSignInSeen(fact);
    if (fact.code === 'signed-out') onSignedOut(createPrincipal(fact).key);
    if (fact.code === 'sign-in-failed') {
      trail.countRefusal(`sign-in:${fact.problem}`);
      return;
    }
    if (fact.code === 'provider-unavailable') {
      emit({ reason: 'ConfigurationProviderUnavailable', name: CONFIGURATION_NAME });
      return;
    }
    const { code, ...facts } = fact;
    trail.write({ ...facts, action: CALLER_ACTIONS[code], decision: 'allowed' });
  };
