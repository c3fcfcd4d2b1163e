import type { Principal } from '@gateway/call-contract';
import type { ServerInventory } from '@gateway/catalog';
import type { SessionRenewals } from '../connection/session-renewals.ts';
import type { CredentialKind } from '../credentials/server-credentials.ts';
import { problemLines } from '../lists/list-problems.ts';
import type { ServerLists } from '../lists/server-lists.ts';
import type { CredentialProblem } from './person-authority.ts';
import type { PersonalConnection } from './personal-connection.ts';
import type { PersonalOutcome, PersonalServer, PersonalStatus } from './personal-view.ts';

/** One person with the servers that the person is, was or will be connected to. */
export interface Person {
  /** That of the latest request. */
  principal: Principal;
  readonly records: Map<string, PersonalRecord>;
  /** The revision of the servers that were last prepared for the person; `undefined` before. */
  prepared: number | undefined;
  preparing: Promise<void> | undefined;
  /** Resolves when the connections of the person have followed the changes of their sign-ins, or after a bound. */
  following: Promise<void> | undefined;
  /** Monotonic time of the next attempt to prepare, in milliseconds. */
  retryAt: number;
  /** The last inventories; absent after a change. */
  seen: SeenInventories | undefined;
}

/** The inventories of a person. */
export interface SeenInventories {
  /** The version of what everybody sees that they were made with. */
  readonly version: number;
  /** `undefined`: the person sees what everybody sees. */
  readonly all: readonly ServerInventory[] | undefined;
}

/** The state of one person at one server. There may be 100,000 of them, so they hold nothing of their own. */
export interface PersonalRecord {
  readonly person: Person;
  readonly server: string;
  /** The lists of the last connection, shared by all persons with equal lists. */
  lists: ServerLists | undefined;
  /** Why the credential could not be used. */
  problem: CredentialProblem | undefined;
  /** Why the last attempt to connect failed: one line without secrets. */
  failure: string | undefined;
  failures: number;
  /** Monotonic time of the last failure, in milliseconds. */
  failedAt: number;
  connection: PersonalConnection | undefined;
  /** Absent until the server refused a session. */
  renewals: SessionRenewals | undefined;
  opening: Promise<void> | undefined;
  /** Counts the changes of the credential. */
  changes: number;
  /** Ends the attempt and the connection. */
  ending: AbortController | undefined;
}

/** Returns a person without records. */
export const newPerson = (principal: Principal): Person => ({
  principal,
  records: new Map(),
  prepared: undefined,
  preparing: undefined,
  following: undefined,
  retryAt: Infinity,
  seen: undefined,
});

/** Returns a record without a connection. */
export const newRecord = (person: Person, server: string): PersonalRecord => ({
  person,
  server,
  lists: undefined,
  problem: undefined,
  failure: undefined,
  failures: 0,
  failedAt: 0,
  connection: undefined,
  renewals: undefined,
  opening: undefined,
  changes: 0,
  ending: undefined,
});

const PROBLEM_STATUS: Readonly<Record<CredentialProblem['code'], PersonalStatus>> = {
  'sign-in-required': 'auth_required',
  'sign-in-again': 'reauth_required',
  unavailable: 'unreachable',
};

const stateOf = (
  record: PersonalRecord | undefined,
  kind: PersonalServer['kind'],
): Pick<PersonalServer, 'status' | 'reason'> => {
  if (record?.problem !== undefined)
    return { status: PROBLEM_STATUS[record.problem.code], reason: record.problem.reason };
  if (record?.failure !== undefined) return { status: 'failed', reason: record.failure };
  if (record?.lists !== undefined) return { status: 'connected' };
  return { status: kind === 'sso' ? 'sso_pending' : 'auth_required' };
};

/** Returns the view of a server for one person. */
export const personalView = (
  target: { readonly server: string; readonly kind: Exclude<CredentialKind, 'shared'> },
  record: PersonalRecord | undefined,
): PersonalServer => {
  const listWarnings = problemLines(record?.connection?.connection.listReader.problems ?? []);
  return {
    ...target,
    ...stateOf(record, target.kind),
    toolsCount: record?.lists?.tools.length ?? 0,
    ...(listWarnings.length === 0 ? {} : { listWarnings }),
  };
};

/** Returns the outcome of an attempt to connect that has ended. */
export const personalOutcome = (record: PersonalRecord): PersonalOutcome => {
  const { server, lists, problem, failure } = record;
  if (problem !== undefined) {
    const { reason } = problem;
    return problem.code === 'unavailable'
      ? { code: 'failed', server, reason }
      : { code: 'auth-required', server, reason };
  }
  if (failure !== undefined || lists === undefined)
    return { code: 'failed', server, reason: failure ?? 'the attempt was ended' };
  const { tools, resources, prompts } = lists;
  return {
    code: 'connected',
    server,
    tools: tools.length,
    resources: resources.length,
    prompts: prompts.length,
  };
};

/** Returns whether the person has signed out, so that nothing of the server is shown. */
export const isHidden = ({ problem }: PersonalRecord): boolean =>
  problem?.code === 'sign-in-required';
