import type { CallContext, JsonObject } from '@gateway/call-contract';
import { type Expose, exposureOf } from '@gateway/gateway-config';
import type { McpService, RequestContext, ServiceAnswer } from '@gateway/mcp-http';
import { keepText, keptText, RawObject } from '@gateway/mcp-wire';
import { TOOLSET_HEADER } from '@gateway/toolset-grammar';
import type { AuditTrail } from './audit-trail.ts';
import type { CallFacts } from './audited-call.ts';
import type { CoreTools } from '@gateway/core-tools';
import type { Downstream, DownstreamOutcome } from '@gateway/downstream';
import type { MetaToolPorts } from '@gateway/meta-tools';

/** The requests that callers send to servers. */
type Requests = Pick<Downstream, 'callTool' | 'readResource' | 'getPrompt' | 'complete'>;

/** The reason of the record of a call whose server has too many concurrent requests. */
const SERVER_BUSY = 'servers.maxQueuedCalls';

/** Records the server of each request in the record of its call. */
export function auditRequests(requests: Requests, trail: AuditTrail): Requests {
  const recorded =
    <Request extends { readonly server: string }>(
      send: (request: Request, context: CallContext) => Promise<DownstreamOutcome>,
      nameOf?: (request: Request) => string,
    ) =>
    (request: Request, context: CallContext): Promise<DownstreamOutcome> => {
      const outcome = send(request, context);
      const call = trail.of(context);
      if (call !== undefined) {
        call.sentTo(request.server, nameOf?.(request));
        outcome.then(
          (ended) => {
            if (!ended.ok && ended.error.code === 'server.busy') call.refuse(SERVER_BUSY);
          },
          () => undefined,
        );
      }
      return outcome;
    };
  return {
    callTool: recorded(
      (call, context) => requests.callTool(call, context),
      ({ tool }) => tool,
    ),
    readResource: recorded((read, context) => requests.readResource(read, context)),
    getPrompt: recorded(
      (get, context) => requests.getPrompt(get, context),
      ({ prompt }) => prompt,
    ),
    complete: recorded((question, context) => requests.complete(question, context)),
  };
}

/** The reason of the record of a core tool that the caller may not call. */
const WRITES_REFUSED = 'coreTools.writes';

/** Records that a core tool receives a call, or refuses it, in the record of the call. */
export function auditCoreTools(coreTools: CoreTools, trail: AuditTrail): CoreTools {
  return {
    entries: coreTools.entries,
    writeRefusal: coreTools.writeRefusal,
    call: async (name, args, context) => {
      if (context !== undefined) trail.of(context)?.execute();
      const outcome = await coreTools.call(name, args, context);
      if (outcome.ok && outcome.refused !== undefined && context !== undefined)
        trail.of(context)?.refuse(WRITES_REFUSED);
      return outcome;
    },
  };
}

/** Records that a workflow receives a call in the record of the call. */
export const auditWorkflows =
  (callWorkflow: MetaToolPorts['callWorkflow'], trail: AuditTrail): MetaToolPorts['callWorkflow'] =>
  (name, args, context) => {
    trail.of(context)?.execute();
    return callWorkflow(name, args, context);
  };

type Call = Parameters<McpService['call']>[0];

const TOOLSET_HEADER_KEY = TOOLSET_HEADER.toLowerCase();

/** Writes a record for each call and each subscription of a service, and for each refused retry or resumption of a call. */
export function auditService(service: McpService, expose: Expose, trail: AuditTrail): McpService {
  const factsOf = (call: Call, { header }: RequestContext): CallFacts =>
    CALL_FACTS[exposureOf(expose, header)](call);
  const call: McpService['call'] = (called, context) =>
    trail.follow(context, { ...factsOf(called, context), toolset: toolsetOf(context) }, () =>
      written(service.call(called, context)),
    );
  const follow = service.subscribe?.bind(service);
  const subscribe: McpService['subscribe'] =
    follow &&
    ((uri, onUpdated, context) => {
      const method = 'resources/subscribe';
      const facts = { method, name: withoutSecretParts(uri), toolset: toolsetOf(context) };
      return Promise.resolve(
        trail.follow(callerOf(context), facts, () => follow(uri, onUpdated, context)),
      );
    });
  const refuse = service.refuseCall?.bind(service);
  const refuseCall: McpService['refuseCall'] =
    refuse &&
    ((checked, context) =>
      trail.followCheck(
        callerOf(context),
        { ...factsOf(checked, context), toolset: toolsetOf(context) },
        () => refuse(checked, context),
      ));
  // The capabilities of a service change with its servers: they are inherited, not copied.
  return Object.assign(
    Object.create(service) as McpService,
    { call },
    subscribe !== undefined && { subscribe },
    refuseCall !== undefined && { refuseCall },
  );
}

const callerOf = ({ sessionId, principal }: RequestContext) => ({ sessionId, principal });

/** Adds the text of the result, whose size the record has, so that the endpoint does not write the result again. */
const written = (
  answer: ServiceAnswer | Promise<ServiceAnswer>,
): ServiceAnswer | Promise<ServiceAnswer> =>
  answer instanceof Promise ? answer.then(withText) : withText(answer);

const withText = (answer: ServiceAnswer): ServiceAnswer => {
  if (answer.ok && !(answer.result instanceof RawObject) && keptText(answer.result) === undefined)
    keepText(answer.result, JSON.stringify(answer.result));
  return answer;
};

const namedFacts = ({ method, params }: Call): CallFacts => {
  const ref = params['ref'];
  return {
    method,
    name: nameIn(typeof ref === 'object' && ref !== null ? (ref as JsonObject) : params),
  };
};

const CALL_FACTS: Readonly<Record<Expose, (call: Call) => CallFacts>> = {
  // `auth://status` is a resource in both exposures.
  meta: (call) => {
    const { method, params } = call;
    if (method !== 'tools/call') return namedFacts(call);
    const args = params['arguments'];
    return {
      method,
      metaTool: textOf(params, 'name'),
      name: typeof args === 'object' && args !== null ? nameIn(args as JsonObject) : undefined,
    };
  },
  native: namedFacts,
};

/** Returns the name or the URI that parameters name. */
function nameIn(params: JsonObject): string | undefined {
  const uri = textOf(params, 'uri');
  return textOf(params, 'name') ?? (uri === undefined ? undefined : withoutSecretParts(uri));
}

const textOf = (params: JsonObject, key: string): string | undefined => {
  const value = Object.hasOwn(params, key) ? params[key] : undefined;
  return typeof value === 'string' ? value : undefined;
};

/** Returns a URI without user information, query and fragment, which can contain secrets. */
const withoutSecretParts = (uri: string): string =>
  uri.replace(/[?#].*$/su, '').replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/iu, '$1');

const toolsetOf = ({ header }: Pick<RequestContext, 'header'>): string | undefined =>
  header(TOOLSET_HEADER_KEY)?.join(',');
