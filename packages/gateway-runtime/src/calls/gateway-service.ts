import type { CoreTools } from '@gateway/core-tools';
import type { Downstream } from '@gateway/downstream';
import { exposureOf, type Expose } from '@gateway/gateway-config';
import type { McpService, RequestContext, ServiceAnswer, ServiceCall } from '@gateway/mcp-http';
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { AuthStatusSource } from '../sign-in/auth-status.ts';
import { auditRefusal, auditSubscription } from './audit-stage.ts';
import {
  addStatusCapabilities,
  addStatusResource,
  followLists,
  followStatus,
  isStatusRead,
  isStatusUri,
  noResource,
} from './auth-status-stage.ts';
import type { Exposure, Exposures } from './exposures.ts';
import { missingScopes } from './required-scopes.ts';
import { throughCallStages } from './stages.ts';

/** The parts of a gateway that its service uses. */
export interface GatewayServiceParts {
  readonly exposures: Exposures;
  readonly authStatus: AuthStatusSource;
  /** Absent when no audit log is written. */
  readonly trail: AuditTrail | undefined;
  readonly downstream: Pick<Downstream, 'endClient'>;
  /** Resolves when the start of each server was attempted. */
  readonly started: Promise<unknown>;
  /** Returns why a principal may not call a core tool that writes; `undefined` for a permitted one, and for any other tool. */
  readonly writeRefusal: CoreTools['writeRefusal'];
}

/** Options that differ between transports. */
export interface ServiceOptions {
  /** An issuer grants the scope that core tools that write need, so that clients are sent to request it. */
  readonly grantsAdmin?: boolean;
  /** The first calls wait until the start of each server was attempted. */
  readonly waitsForStart?: boolean;
}

/** Creates the service that the gateway exposes over HTTP and stdio. Toolsets do not narrow `auth://status`. */
export function createGatewayService(
  parts: GatewayServiceParts,
  { grantsAdmin = false, waitsForStart = false }: ServiceOptions = {},
): McpService {
  const { authStatus, trail, writeRefusal } = parts;
  const { meta, native } = parts.exposures;
  const { service: main } = native ?? meta;
  const expose: Expose = native === undefined ? 'meta' : 'native';
  const exposedTo = ({ header }: RequestContext): Expose => exposureOf(expose, header);
  const exposureFor = (context: RequestContext): Exposure =>
    native !== undefined && exposedTo(context) === 'native' ? native : meta;
  const serviceFor = (context: RequestContext): McpService => exposureFor(context).service;
  const audit = trail && { trail, exposureOf: exposedTo };
  const refuseHeaders = (context: RequestContext) => serviceFor(context).refuseHeaders?.(context);
  const refuseStatus = (context: RequestContext): ServiceAnswer | undefined => {
    const error = refuseHeaders(context);
    return error && { ok: false, error };
  };
  const capabilities = addStatusCapabilities(authStatus);
  const listResources = addStatusResource(authStatus);
  const refuse: NonNullable<McpService['refuseCall']> = (call, context) =>
    isStatusRead(call) ? refuseStatus(context) : serviceFor(context).refuseCall?.(call, context);
  const subscribe: NonNullable<McpService['subscribe']> = async (uri, onUpdated, context) =>
    isStatusUri(uri)
      ? { ok: true, end: followStatus(authStatus, context.principal, onUpdated) }
      : ((await main.subscribe?.(uri, onUpdated, context)) ?? noResource(uri));
  const timerOf = ({ method, params }: ServiceCall, context: RequestContext) =>
    exposureFor(context).timers.get(
      exposedTo(context) === 'native' ? method : String(params['name']),
    );
  return {
    info: main.info,
    ...(main.instructions !== undefined && { instructions: main.instructions }),
    get capabilities() {
      return capabilities(main.capabilities);
    },
    scopeHeaders: main.scopeHeaders ?? [],
    list: (method, context) => {
      const service = serviceFor(context);
      return listResources(service, method, context);
    },
    call: throughCallStages(
      {
        started: waitsForStart ? parts.started : undefined,
        audit,
        authStatus: { source: authStatus, refuse: refuseStatus },
        timerOf,
      },
      (call, context) => serviceFor(context).call(call, context),
    ),
    refuseHeaders,
    refuseCall: (call, context) =>
      audit === undefined
        ? refuse(call, context)
        : auditRefusal(audit, call, context, () => refuse(call, context)),
    ...(native && {
      inputSchema: (tool, context) => serviceFor(context).inputSchema?.(tool, context),
    }),
    ...(grantsAdmin && {
      missingScopes: (call, context) =>
        missingScopes(exposedTo(context), call, (tool) => writeRefusal(tool, context.principal)),
    }),
    reachableTools: ({ principal }) => authStatus.reached(principal),
    onListChanged: (listener) => followLists(main, authStatus, listener),
    clientEnded: (client) => {
      parts.downstream.endClient(client);
    },
    subscribe: (uri, onUpdated, context) =>
      audit === undefined
        ? subscribe(uri, onUpdated, context)
        : auditSubscription(audit, uri, context, () => subscribe(uri, onUpdated, context)),
  };
}
