import { findText, isJsonObject, readOwnField } from '@gateway/call-contract';
import type { DownstreamError } from '@gateway/downstream';
import type { Expose } from '@gateway/gateway-config';
import type { RequestContext, ServiceAnswer, ServiceCall } from '@gateway/mcp-http';
import { storeSourceText, findSourceText, RawObject } from '@gateway/mcp-wire';
import { TOOLSET_HEADER_KEY } from '@gateway/toolset-grammar';
import type { AuditTrail, CallFacts } from '../audit/audit-trail.ts';
import type { CallAnswer } from '../metrics/call-metrics.ts';
import type { CallStage, ServerRequestStage } from './stage.ts';

/** The trail that has the records of calls, and the exposure of each request. */
export interface Auditing {
  readonly trail: AuditTrail;
  readonly readExpose: (context: RequestContext) => Expose;
}

const toFacts = (
  call: ServiceCall,
  context: RequestContext,
  { readExpose }: Auditing,
): CallFacts => ({
  ...(readExpose(context) === 'meta' ? toMetaFacts(call) : toNativeFacts(call)),
  toolset: readToolset(context),
});

/** Follows each call: for the usage, and its record of the audit log. */
export const auditCalls =
  (auditing: Auditing): CallStage =>
  (call, context, next) =>
    auditing.trail.follow(context, toFacts(call, context, auditing), () =>
      addResultText(next(call, context)),
    );

/** Writes a record for a subscription. */
export const auditSubscription = <Answer extends CallAnswer>(
  { trail }: Auditing,
  uri: string,
  context: RequestContext,
  subscribe: () => Promise<Answer>,
): Promise<Answer> =>
  Promise.resolve(
    trail.follow(
      toCaller(context),
      {
        method: 'resources/subscribe',
        name: withoutSecretParts(uri),
        toolset: readToolset(context),
      },
      subscribe,
    ),
  );

/** Writes a record for a retry or a resumption of a call that is refused. */
export const auditRefusal = (
  auditing: Auditing,
  call: ServiceCall,
  context: RequestContext,
  refuse: () => ServiceAnswer | undefined,
): ServiceAnswer | undefined =>
  auditing.trail.followCheck(toCaller(context), toFacts(call, context, auditing), refuse);

/** The reasons of the records of calls that a limit of their server or tool refuses. */
const LIMIT_REASONS: Partial<Record<DownstreamError['code'], string>> = {
  'server.busy': 'servers.maxQueuedCalls',
  'server.rate-limited': 'limits.rate',
  'server.breaker-open': 'limits.breaker',
};

/** Records the server of a request in the record of its call. */
export const auditServerRequests: ServerRequestStage = (request, context, next) => {
  const outcome = next(request, context);
  const { record } = context;
  if (record !== undefined) {
    record.isExecuted = true;
    record.server = request.server;
    record.serverName = request.tool ?? request.prompt;
    outcome.then(
      (ended) => {
        if (!ended.ok) record.refusal ??= LIMIT_REASONS[ended.error.code];
      },
      () => undefined,
    );
  }
  return outcome;
};

const toCaller = ({ sessionId, principal }: RequestContext) => ({ sessionId, principal });

/** Adds the text of the result, whose size the record has, so that the endpoint does not write the result again. */
const addResultText = (
  answer: ServiceAnswer | Promise<ServiceAnswer>,
): ServiceAnswer | Promise<ServiceAnswer> =>
  answer instanceof Promise ? answer.then(withText) : withText(answer);

const withText = (answer: ServiceAnswer): ServiceAnswer => {
  if (
    answer.ok &&
    !(answer.result instanceof RawObject) &&
    findSourceText(answer.result) === undefined
  )
    storeSourceText(answer.result, JSON.stringify(answer.result));
  return answer;
};

/** Returns the name or the URI that parameters name. */
function findItemName(params: unknown): string | undefined {
  const uri = findText(readOwnField(params, 'uri'));
  const name = findText(readOwnField(params, 'name'));
  return name ?? (uri === undefined ? undefined : withoutSecretParts(uri));
}

const toNativeFacts = ({ method, params }: ServiceCall): CallFacts => ({
  method,
  name: findItemName(isJsonObject(params['ref']) ? params['ref'] : params),
});

/** `auth://status` is a resource in both exposures. */
const toMetaFacts = (call: ServiceCall): CallFacts => {
  const { method, params } = call;
  if (method !== 'tools/call') return toNativeFacts(call);
  const metaTool = findText(readOwnField(params, 'name'));
  return { method, metaTool, name: findItemName(params['arguments']) };
};

/** Returns a URI without user information, query and fragment, which can contain secrets. */
const withoutSecretParts = (uri: string): string =>
  uri.replace(/[?#].*$/su, '').replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/iu, '$1');

/** Returns the value of the toolset header. */
const readToolset = ({ header }: Pick<RequestContext, 'header'>): string | undefined =>
  header(TOOLSET_HEADER_KEY)?.join(',');
