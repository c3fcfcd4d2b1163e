import { randomUUID } from 'node:crypto';
import {
  type ClientOutcome,
  type OperationDraft,
  type OperationName,
  OPERATIONS,
  type AgentRefusal,
  type AgentRefusalCode,
  refuse,
} from '@gateway/agent-manager-client';
import type { AgentService } from '@gateway/agent-releases';
import type { Principal } from '@gateway/call-contract';
import type { Logger } from 'pino';

/** The transport of a call. */
export type Transport = 'rest' | 'mcp';

/** The user on whose behalf a call runs. */
export interface OperationCaller {
  /** The e-mail address, else the subject. */
  readonly name: string;
  /** The verified bearer of the request. Secret. */
  readonly token: string;
}

/** One call of an operation. */
export interface OperationCall {
  readonly name: OperationName;
  readonly transport: Transport;
  /** Request id, for the log. */
  readonly request: string;
  /** Absent where callers do not sign in. */
  readonly caller?: OperationCaller;
  /** The arguments with checked names and types, or the refusal of them. */
  readonly draft: ClientOutcome<OperationDraft<OperationName>>;
}

/** The outcome of a call: `ok`, or the code of its refusal. */
type CallCode = 'ok' | AgentRefusalCode;

/** Records the outcome and the duration of a call. */
export type RecordCall = (
  call: Pick<OperationCall, 'name' | 'transport'>,
  code: CallCode,
  seconds: number,
) => void;

/** Runs a call and resolves with its result as data, or its refusal. Never rejects. */
export type RunOperation = (call: OperationCall) => Promise<ClientOutcome<object>>;

/** Returns the service that acts for a caller, or the refusal. `undefined` where callers do not sign in. */
export type Service = (caller: OperationCaller | undefined) => ClientOutcome<AgentService>;

/** The service acts for all callers with the credentials of agent-manager. */
export const createSharedService = (service: AgentService): Service => {
  const answer: ClientOutcome<AgentService> = { ok: true, value: service };
  return () => answer;
};

/** The compact serialisation of a signed token. RFC 7515 §3.1 */
const JWS = /^[\w-]+\.[\w-]+\.[\w-]+$/u;

const NO_IDENTITY = 'no identity token to act with towards the Kubernetes API';

/**
 * The service acts with the token of the caller only. Opaque tokens are for agent-manager alone: another API cannot verify them.
 * @param serviceWith returns the service whose requests carry a token
 */
export const createCallerServices =
  (serviceWith: (token: string) => AgentService): Service =>
  (caller) =>
    caller !== undefined && JWS.test(caller.token)
      ? { ok: true, value: serviceWith(caller.token) }
      : refuse('unauthenticated', NO_IDENTITY);

const SCHEME = /^bearer +/iu;

/** Returns the caller of a request whose bearer was verified. @param authorization value of the header `Authorization` */
export const toOperationCaller = (
  { email, subject }: Principal,
  authorization: string,
): OperationCaller => ({ name: email ?? subject, token: authorization.replace(SCHEME, '') });

const USABLE = /^[\w.:-]{1,64}$/u;

/** Returns the id that the sender gave a request if it is 1 to 64 characters of `[\w.:-]`, else a new UUID. */
export const readRequestId = (given: string | undefined): string =>
  given !== undefined && USABLE.test(given) ? given : randomUUID();

/** Dependencies of {@link createRunOperation}. */
interface RunOperationParts {
  /** Returns the service that acts for a caller, or the refusal. */
  readonly resolveService: Service;
  readonly logger: Logger;
  readonly metrics: { readonly recordCall: RecordCall };
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
  resolveService,
  logger,
  metrics,
}: RunOperationParts): RunOperation {
  return async (call) => {
    const start = performance.now();
    const answer = withCaller(call, await answerOperation(resolveService, call));
    const seconds = (performance.now() - start) / 1000;
    const code = answer.ok ? 'ok' : answer.error.code;
    metrics.recordCall(call, code, seconds);
    logger[chooseLevel(call.name, code)](toLogFacts(call, answer, seconds), 'called');
    return answer;
  };
}

async function answerOperation(
  resolveService: Service,
  { name, draft, caller }: OperationCall,
): Promise<ClientOutcome<object>> {
  if (!draft.ok) return draft;
  const service = resolveService(caller);
  if (!service.ok) return service;
  // The name and the draft belong together, which an indexed union cannot express.
  const operation = service.value[name] as (
    draft: OperationDraft<OperationName>,
  ) => Promise<ClientOutcome<object>>;
  return operation(draft.value);
}

/** Returns the answer of a write with the name of its caller. */
const withCaller = (
  { name, caller }: OperationCall,
  answer: ClientOutcome<object>,
): ClientOutcome<object> =>
  answer.ok && caller !== undefined && WRITES.has(name)
    ? { ok: true, value: { ...answer.value, requestedBy: caller.name } }
    : answer;

const truncateName = ({ name }: OperationCaller): string => name.slice(0, MAX_LOGGED_NAME);

/** Returns the log level of a call: failures of the backend are errors, writes are info, reads are debug. */
function chooseLevel(name: OperationName, code: CallCode): 'error' | 'info' | 'debug' {
  if (code === 'backend_error') return 'error';
  return OPERATIONS[name].hints.readOnlyHint ? 'debug' : 'info';
}

/** Returns the facts of a call for the log: names of objects, never other arguments. */
function toLogFacts(
  { name, transport, request, draft, caller }: OperationCall,
  answer: ClientOutcome<object>,
  seconds: number,
): object {
  return {
    operation: name,
    transport,
    request,
    ...(caller !== undefined && { caller: truncateName(caller) }),
    ...(draft.ok && toObjectFields(draft.value)),
    code: answer.ok ? 'ok' : answer.error.code,
    ...(!answer.ok && toReasonFields(answer.error)),
    ms: Math.round(seconds * 1e5) / 100,
  };
}

/** Codes whose messages the log may contain. Messages of other codes can repeat arguments. */
const LOGGED_CODES: ReadonlySet<AgentRefusalCode> = new Set([
  'backend_error',
  'conflict',
  'forbidden',
  'unauthenticated',
]);

const toReasonFields = ({ code, message }: AgentRefusal): { readonly reason?: string } =>
  LOGGED_CODES.has(code) ? { reason: message } : {};

const toObjectFields = (draft: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(draft).flatMap(([key, value]) =>
      (key === 'namespace' || key === 'name') && typeof value === 'string'
        ? [[key, value.slice(0, MAX_LOGGED_NAME)]]
        : [],
    ),
  );
