import {
  OPERATIONS,
  type Answer,
  type OperationDraft,
  type OperationName,
  type Refusal,
  type RefusalCode,
} from '@gateway/agent-manager-client';
import type { AgentService } from '@gateway/agent-releases';
import type { Logger } from 'pino';
import type { CallCode, OperationCall, RecordCall, RunOperation } from './operation-call.ts';

/** Dependencies of {@link createRunOperation}. */
export interface RunOperationParts {
  readonly service: AgentService;
  readonly logger: Logger;
  readonly metrics: { readonly called: RecordCall };
}

/** Longest object name in the log, in characters: the longest name of a Kubernetes object. */
const MAX_LOGGED_NAME = 253;

/** Creates the function that runs operations. Both transports use it, so that all calls are measured and logged alike. */
export function createRunOperation({ service, logger, metrics }: RunOperationParts): RunOperation {
  return async (call) => {
    const start = performance.now();
    const answer = await answerOf(service, call);
    const seconds = (performance.now() - start) / 1000;
    const code = answer.ok ? 'ok' : answer.refusal.code;
    metrics.called(call, code, seconds);
    logger[levelOf(call.name, code)](factsOf(call, answer, seconds), 'called');
    return answer;
  };
}

async function answerOf(
  service: AgentService,
  { name, draft }: OperationCall,
): Promise<Answer<object>> {
  if (!draft.ok) return draft;
  // The name and the draft belong together, which an indexed union cannot express.
  const operation = service[name] as (
    draft: OperationDraft<OperationName>,
  ) => Promise<Answer<object>>;
  return operation(draft.value);
}

/** Returns the log level of a call: failures of the backend are errors, writes are info, reads are debug. */
function levelOf(name: OperationName, code: CallCode): 'error' | 'info' | 'debug' {
  if (code === 'backend_error') return 'error';
  return OPERATIONS[name].hints.readOnlyHint ? 'debug' : 'info';
}

/** Returns the facts of a call for the log: names of objects, never other arguments. */
function factsOf(
  { name, transport, request, draft }: OperationCall,
  answer: Answer<object>,
  seconds: number,
): object {
  return {
    operation: name,
    transport,
    request,
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
