import {
  OPERATIONS,
  type Answer,
  type OperationDraft,
  type OperationName,
  type Refusal,
  type RefusalCode,
} from '@gateway/agent-manager-client';
import type { Logger } from 'pino';
import type {
  CallCode,
  OperationCall,
  OperationCaller,
  RecordCall,
  RunOperation,
} from './operation-call.ts';
import type { ServiceOf } from './service-of.ts';

/** Dependencies of {@link createRunOperation}. */
export interface RunOperationParts {
  /** Returns the service that acts for a caller, or the refusal. */
  readonly serviceOf: ServiceOf;
  readonly logger: Logger;
  readonly metrics: { readonly called: RecordCall };
}

/** The operations whose answers name their caller. */
const WRITES: ReadonlySet<OperationName> = new Set([
  'create_agent',
  'update_agent',
  'delete_agent',
]);

/** Longest object name in the log, in characters: the longest name of a Kubernetes object. */
const MAX_LOGGED_NAME = 253;

/** Creates the function that runs operations. Both transports use it, so that all calls are measured and logged alike. */
export function createRunOperation({
  serviceOf,
  logger,
  metrics,
}: RunOperationParts): RunOperation {
  return async (call) => {
    const start = performance.now();
    const answer = withCaller(call, await answerOf(serviceOf, call));
    const seconds = (performance.now() - start) / 1000;
    const code = answer.ok ? 'ok' : answer.refusal.code;
    metrics.called(call, code, seconds);
    logger[levelOf(call.name, code)](factsOf(call, answer, seconds), 'called');
    return answer;
  };
}

async function answerOf(
  serviceOf: ServiceOf,
  { name, draft, caller }: OperationCall,
): Promise<Answer<object>> {
  if (!draft.ok) return draft;
  const service = serviceOf(caller);
  if (!service.ok) return service;
  // The name and the draft belong together, which an indexed union cannot express.
  const operation = service.value[name] as (
    draft: OperationDraft<OperationName>,
  ) => Promise<Answer<object>>;
  return operation(draft.value);
}

/** Returns the answer of a write with the name of its caller. */
const withCaller = ({ name, caller }: OperationCall, answer: Answer<object>): Answer<object> =>
  answer.ok && caller !== undefined && WRITES.has(name)
    ? { ok: true, value: { ...answer.value, requestedBy: caller.name } }
    : answer;

const loggedName = ({ name }: OperationCaller): string => name.slice(0, MAX_LOGGED_NAME);

/** Returns the log level of a call: failures of the backend are errors, writes are info, reads are debug. */
function levelOf(name: OperationName, code: CallCode): 'error' | 'info' | 'debug' {
  if (code === 'backend_error') return 'error';
  return OPERATIONS[name].hints.readOnlyHint ? 'debug' : 'info';
}

/** Returns the facts of a call for the log: names of objects, never other arguments. */
function factsOf(
  { name, transport, request, draft, caller }: OperationCall,
  answer: Answer<object>,
  seconds: number,
): object {
  return {
    operation: name,
    transport,
    request,
    ...(caller !== undefined && { caller: loggedName(caller) }),
    ...(draft.ok && objectOf(draft.value)),
    code: answer.ok ? 'ok' : answer.refusal.code,
    ...(!answer.ok && reasonOf(answer.refusal)),
    ms: Math.round(seconds * 1e5) / 100,
  };
}

/** Codes whose messages the log may contain. Messages of other codes can repeat arguments. */
const LOGGED_CODES: ReadonlySet<RefusalCode> = new Set([
  'backend_error',
  'conflict',
  'forbidden',
  'unauthenticated',
]);

const reasonOf = ({ code, message }: Refusal): { readonly reason?: string } =>
  LOGGED_CODES.has(code) ? { reason: message } : {};

const objectOf = (draft: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(draft).flatMap(([key, value]) =>
      (key === 'namespace' || key === 'name') && typeof value === 'string'
        ? [[key, value.slice(0, MAX_LOGGED_NAME)]]
        : [],
    ),
  );
