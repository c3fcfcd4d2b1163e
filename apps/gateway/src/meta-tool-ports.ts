import type { CoreTools } from '@gateway/core-tools';
import { downstreamErrorText, type Downstream, type DownstreamOutcome } from '@gateway/downstream';
import type { CallOptions, CallOutcome, MetaToolPorts } from '@gateway/meta-tools';
import type { PresetSet } from '@gateway/preset-resolver';
import type { Logger } from 'pino';
import type { LiveCatalog } from './live-catalog.ts';
import type { Metrics } from './metrics.ts';

/** The parts that the meta-tools are put together from. */
export interface MetaToolParts {
  readonly catalog: LiveCatalog;
  readonly presets: () => PresetSet;
  readonly downstream: Downstream;
  readonly coreTools: CoreTools;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Gives the meta-tools their world: the live catalog, the downstream servers and the core tools. */
export function metaToolPorts(parts: MetaToolParts): MetaToolPorts {
  const { catalog, downstream, coreTools, logger } = parts;
  const timed = timedRequests(parts.metrics);
  return {
    snapshot: catalog.snapshot,
    presets: parts.presets,
    serversRequiringAuth: signedOutServers(downstream),
    callServerTool: (call, options) =>
      timed(call.server, downstream.callTool(call, requestOptions(options))),
    readResource: (read, options) =>
      timed(read.server, downstream.readResource(read, requestOptions(options))),
    getPrompt: (get, options) =>
      timed(get.server, downstream.getPrompt(get, requestOptions(options))),
    callCoreTool: (name, args, { session, signal }) =>
      coreTools.call(name, args, { session, signal }),
    warn: (text) => {
      logger.warn(text);
    },
    callWorkflow: (name) => Promise.resolve({ ok: false, text: `tool not found: ${name}` }),
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
    signedOut = look();
  });
  return () => signedOut;
}

function timedRequests(metrics: Metrics) {
  return async (server: string, request: Promise<DownstreamOutcome>): Promise<CallOutcome> => {
    const start = performance.now();
    const outcome = await request;
    metrics.serverCalled({ server, ok: outcome.ok, seconds: (performance.now() - start) / 1000 });
    return outcome.ok ? outcome : { ok: false, text: downstreamErrorText(outcome.error) };
  };
}

function requestOptions({ signal, onProgress, meta }: CallOptions) {
  return { signal, ...(onProgress && { onProgress }), ...(meta && { meta }) };
}

/** The first characters of a session's id: enough to tell sessions apart in a log, too few to take one over. */
function sessionLabel(session: string | undefined): string {
  return session === undefined ? 'none' : `${session.slice(0, 8)}...`;
}
