import type { CallOutcome } from '@gateway/call-contract';
import type { CoreTools } from '@gateway/core-tools';
import {
  downstreamErrorText,
  type Downstream,
  type DownstreamError,
  type DownstreamOutcome,
} from '@gateway/downstream';
import type { MetaToolPorts, NativePorts } from '@gateway/meta-tools';
import type { PresetSet } from '@gateway/preset-resolver';
import type { Logger } from 'pino';
import type { LiveCatalog } from '../live-catalog.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { FeatureWatch } from './server-features.ts';

/** What the meta-tools and the native surface need of the world. */
export type SurfacePorts = MetaToolPorts & NativePorts;

/** The parts that the ports are put together from. */
export interface SurfaceParts {
  readonly catalog: LiveCatalog;
  readonly presets: () => PresetSet;
  readonly downstream: Downstream;
  readonly coreTools: CoreTools;
  readonly callWorkflow: MetaToolPorts['callWorkflow'];
  readonly features: FeatureWatch;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

const NOTHING_COMPLETED: Promise<CallOutcome> = Promise.resolve({
  ok: true,
  result: { completion: { values: [], total: 0, hasMore: false } },
});

/** Gives the meta-tools and the native surface their world: the live catalog, the downstream servers and the core tools. */
export function surfacePorts(parts: SurfaceParts): SurfacePorts {
  const { catalog, downstream, coreTools, features, logger } = parts;
  const timed = timedRequests(parts.metrics);
  return {
    snapshot: catalog.snapshot,
    presets: parts.presets,
    serversRequiringAuth: signedOutServers(downstream),
    callServerTool: (call, context) => timed(call.server, downstream.callTool(call, context)),
    readResource: (read, context) => timed(read.server, downstream.readResource(read, context)),
    getPrompt: (get, context) => timed(get.server, downstream.getPrompt(get, context)),
    // Completions are declared for all servers together: one that has none completes nothing.
    complete: (question, context) =>
      features.completes(question.server)
        ? timed(question.server, downstream.complete(question, context))
        : NOTHING_COMPLETED,
    subscribeResource: async (resource, onUpdated) => {
      const followed = await downstream.subscribeResource(resource, onUpdated);
      return followed.ok ? followed : failure(followed.error);
    },
    callCoreTool: (name, args, context) => coreTools.call(name, args, context),
    warn: (text) => {
      logger.warn(text);
    },
    callWorkflow: parts.callWorkflow,
    onToolsetRefusal: parts.metrics.toolsetRefused,
    onCallRefused: ({ tool, toolset, session }) => {
      logger.info(
        { tool, toolset, session: sessionLabel(session) },
        `call_tool refused: tool ${JSON.stringify(tool)} is outside the toolset ${toolset}`,
      );
    },
  };
}

/** The servers that want a sign-in, worked out after a change and not for a request. */
function signedOutServers(downstream: Downstream): MetaToolPorts['serversRequiringAuth'] {
  const look = () => downstream.servers().filter(({ state }) => state === 'Auth Required');
  let signedOut = look();
  downstream.onChange(() => {
    const now = look();
    // The same list again tells that answers which depend on it are the same, too.
    const isSame = now.map(({ name }) => name).join() === signedOut.map(({ name }) => name).join();
    if (!isSame) signedOut = now;
  });
  return () => signedOut;
}

type Request = Promise<DownstreamOutcome>;

/** Times requests and turns their outcomes into the meta-tools' own. */
function timedRequests(
  metrics: Metrics,
): (server: string, request: Request) => Promise<CallOutcome> {
  return (server, request) => {
    const start = performance.now();
    const timer = metrics.serverTimer(server);
    return request.then((outcome) => {
      timer.finished(start, outcome.ok ? 'ok' : 'failed');
      return outcome.ok ? outcome : failure(outcome.error);
    });
  };
}

function failure(error: DownstreamError): Extract<CallOutcome, { readonly ok: false }> {
  const text = downstreamErrorText(error);
  if (error.code !== 'request.refused') return { ok: false, text };
  const { rpcCode: code, message, data } = error;
  return { ok: false, text, error: { code, message, ...(data !== undefined && { data }) } };
}

/** The first characters of a session's id: enough to tell sessions apart in a log, too few to take one over. */
function sessionLabel(session: string | undefined): string {
  return session === undefined ? 'none' : `${session.slice(0, 8)}...`;
}
