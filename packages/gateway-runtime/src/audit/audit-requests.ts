import type { CallContext } from '@gateway/call-contract';
import type { CoreTools } from '@gateway/core-tools';
import type { Downstream, DownstreamOutcome } from '@gateway/downstream';
import type { MetaToolPorts } from '@gateway/meta-tools';
import type { AuditTrail } from './audit-trail.ts';

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
