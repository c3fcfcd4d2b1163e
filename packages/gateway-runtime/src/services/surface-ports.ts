import type { CallOutcome } from '@gateway/call-contract';
import type { CoreTools } from '@gateway/core-tools';
import {
  downstreamErrorText,
  type Downstream,
  type DownstreamError,
  type DownstreamOutcome,
} from '@gateway/downstream';
import type { MetaToolPorts, NativePorts, SearchPort } from '@gateway/meta-tools';
import type { PresetSet } from '@gateway/preset-resolver';
import type { Logger } from 'pino';
import type { RefusalLog } from '../audit/refusal-budget.ts';
import type { LiveCatalog } from '../live-catalog.ts';
import type { DownstreamRequests } from '../metrics/measure-downstream.ts';
import type { LiveServerFeatures } from './server-features.ts';
import { lastKnownTools } from './last-known-tools.ts';
import {
  followServersRequiringAuth,
  followServersWithoutTokens,
} from './servers-requiring-auth.ts';

/** The ports of the meta-tools and of the native surface. */
export type SurfacePorts = MetaToolPorts & NativePorts;

/** Options of {@link createSurfacePorts}. */
export interface SurfacePortsOptions {
  readonly catalog: LiveCatalog;
  readonly presets: () => PresetSet;
  readonly search: SearchPort;
  readonly downstream: Downstream;
  /** The requests to the servers of `downstream`. */
  readonly requests: DownstreamRequests;
  readonly coreTools: CoreTools;
  readonly signInLink: MetaToolPorts['signInLink'];
  readonly signsPersonsIn: NativePorts['signsPersonsIn'];
  readonly gatewayResources: Pick<MetaToolPorts, 'gatewayResources' | 'readGatewayResource'>;
  readonly callWorkflow: MetaToolPorts['callWorkflow'];
  readonly onToolsetRefusal: MetaToolPorts['onToolsetRefusal'];
  readonly features: LiveServerFeatures;
  readonly logRefusal: RefusalLog;
  readonly logger: Logger;
}

/** The longest text of a caller in a line of the log. */
const MAX_LOGGED_CHARS = 256;

const NO_COMPLETIONS: Promise<CallOutcome> = Promise.resolve({
  ok: true,
  result: { completion: { values: [], total: 0, hasMore: false } },
});

/** Connects the meta-tools and the native surface to the live catalog, the downstream servers and the core tools. */
export function createSurfacePorts(options: SurfacePortsOptions): SurfacePorts {
  const { catalog, downstream, requests, coreTools, features, logger } = options;
  return {
    snapshot: catalog.snapshot,
    presets: options.presets,
    search: options.search,
    serversRequiringAuth: followServersRequiringAuth(downstream),
    serversWithoutTokens: followServersWithoutTokens(downstream),
    lastKnownTools: lastKnownTools(catalog, downstream),
    signInLink: options.signInLink,
    ...options.gatewayResources,
    signsPersonsIn: options.signsPersonsIn,
    callServerTool: (call, context) => requests.callTool(call, context).then(toCallOutcome),
    readResource: (read, context) => requests.readResource(read, context).then(toCallOutcome),
    getPrompt: (get, context) => requests.getPrompt(get, context).then(toCallOutcome),
    // Completions are declared for all servers together. A server without them has no values.
    complete: (completion, context) =>
      features.hasCompletions(completion.server)
        ? requests.complete(completion, context).then(toCallOutcome)
        : NO_COMPLETIONS,
    subscribeResource: async (resource, onUpdated, principal) => {
      const subscribed = await downstream.subscribeResource(resource, onUpdated, principal);
      return subscribed.ok ? subscribed : toFailure(subscribed.error);
    },
    callCoreTool: (name, args, context) => coreTools.call(name, args, context),
    warn: (text) => {
      logger.warn(text);
    },
    callWorkflow: options.callWorkflow,
    onToolsetRefusal: options.onToolsetRefusal,
    onCallRefused: ({ tool, toolset, call }) => {
      const facts = {
        tool: tool.slice(0, MAX_LOGGED_CHARS),
        toolset: toolset.slice(0, MAX_LOGGED_CHARS),
      };
      options.logRefusal(
        call,
        { ...facts, session: sessionLabel(call.sessionId) },
        `call_tool refused: tool ${JSON.stringify(facts.tool)} is outside the toolset ${facts.toolset}`,
      );
    },
  };
}

const toCallOutcome = (outcome: DownstreamOutcome): CallOutcome =>
  outcome.ok ? outcome : toFailure(outcome.error);

function toFailure(error: DownstreamError): Extract<CallOutcome, { readonly ok: false }> {
  const text = downstreamErrorText(error);
  if (error.code !== 'request.refused') return { ok: false, text };
  const { rpcCode: code, message, data } = error;
  return { ok: false, text, error: { code, message, ...(data !== undefined && { data }) } };
}

/** Returns the first characters of a session id: enough to distinguish sessions in a log, too few to use one. */
function sessionLabel(session: string | undefined): string {
  return session === undefined ? 'none' : `${session.slice(0, 8)}...`;
}
