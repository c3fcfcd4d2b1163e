import type {
  AskOptions,
  ClientAnswer,
  ClientRequest,
  JsonObject,
  Notification,
  PlainCallFacts,
  Principal,
  ProgressReport,
} from '@gateway/call-contract';
import type { ContestedNames, ServerInventory } from '@gateway/catalog';
import type { Members } from '@gateway/process-link';
import type { AcceptOutcome } from '../lists/trust/tool-change.ts';
import type { DownstreamError } from '../requests/call.ts';
import type { PersonalContract, PersonalFacts } from './personal-contract.ts';
import type { ControlOutcome } from '../supervision/control.ts';
import type { ServerView } from '../supervision/server-view.ts';

/** The requests that the owner of the servers sends for other processes. */
export type HubMethod = 'callTool' | 'readResource' | 'getPrompt' | 'complete';

/** An action of a server's supervision. */
export type HubControl = 'start' | 'stop' | 'restart';

/** The functions that the owner of the servers offers to another process. */
export interface HubContract extends PersonalContract {
  /**
   * Sends a request to a server.
   *
   * @param text JSON of a {@link RequestText}
   */
  request(method: HubMethod, text: string, options: HubRequestOptions): Promise<HubAnswer>;
  control(action: HubControl, server: string): Promise<ControlOutcome>;
  /** @param tools the accepted tools; all when absent */
  acceptTools(server: string, tools?: readonly string[]): Promise<AcceptOutcome>;
  /** Subscribes to a resource until the signal aborts. Resolves when the subscription fails. */
  subscribeResource(resource: HubResource, options: HubSubscribeOptions): Promise<DownstreamError>;
  /** Sends the state of the servers, then each change after the previous one is confirmed. */
  followState(listener: (change: StateChange) => void): () => void;
  /** Confirms that the state of this version is applied. */
  confirmState(version: number): void;
  /** Requests a health check of a server. */
  verifyConnection(server: string): void;
  /** Ends the processes of a client whose session has ended. */
  endClient(client: string): void;
}

/** A resource of a server as one person sees it. */
export interface HubResource {
  readonly server: string;
  readonly uri: string;
  readonly principal: Principal;
}

/** The members of {@link HubContract} that are not requests. */
export const HUB_MEMBERS: Members<HubContract> = {
  followState: { kind: 'subscription' },
  followPersons: { kind: 'subscription' },
  confirmState: { kind: 'notification' },
  verifyConnection: { kind: 'notification' },
  endClient: { kind: 'notification' },
};

/** Options of a request. The functions call back to the process of the caller. */
export interface HubRequestOptions {
  readonly signal: AbortSignal;
  readonly caller?: HubCaller;
  readonly onProgress?: (progress: ProgressReport) => void;
  /** Present together with `caller`. */
  readonly notify?: (notification: Notification) => void;
  /** Present together with `caller`. */
  readonly ask?: (request: ClientRequest, options: HubAskOptions) => Promise<ClientAnswer>;
}

/** Options of a request to the caller. */
export interface HubAskOptions extends AskOptions {
  readonly signal: AbortSignal;
}

/** The plain facts about the caller of a request; its `capabilities` are in the {@link RequestText}. */
export interface HubCaller {
  readonly takesInputRequired: boolean;
  readonly logLevel?: string;
  /** Equal for requests of one session. */
  readonly identity: string;
  /** Names the client over several calls. */
  readonly client?: string;
  /** Names the person to whom the client is counted. */
  readonly person?: string;
}

/** Options of a subscription to a resource. */
export interface HubSubscribeOptions {
  readonly signal: AbortSignal;
  /** Runs when the subscription is established. */
  readonly onOpen: () => void;
  readonly onUpdated: (params: JsonObject) => void;
}

/** The part of a request that is written as JSON text once. */
export interface RequestText {
  readonly call: unknown;
  readonly facts: PlainCallFacts;
  readonly principal: Principal;
  /** Capabilities that the caller declared; absent for a request without a caller. */
  readonly capabilities?: JsonObject | undefined;
}

/** The outcome of a request. A string is the JSON text of a result that is passed on as this text. */
export type HubAnswer =
  string | { readonly result: JsonObject } | { readonly error: DownstreamError };

/** The difference between the state of the servers and the last state that was sent. */
export interface StateChange {
  readonly version: number;
  /** True when every server that starts by itself was tried. */
  readonly settled: boolean;
  /** All servers, in order. */
  readonly servers: readonly string[];
  readonly changedViews: readonly ServerView[];
  /** The connected servers, in order. */
  readonly connected: readonly string[];
  /** The other servers with a last inventory, in order. */
  readonly last: readonly string[];
  readonly changedInventories: readonly ServerInventory[];
  /** Absent while it is unchanged. */
  readonly contested?: ContestedNames;
  /** The servers with connections of persons; absent while they are unchanged. */
  readonly personal?: readonly PersonalFacts[];
}

/** Limits of the data that waits to leave the process that owns the servers, in characters. */
export interface HubLimits {
  /** A result that exceeds it is replaced by an error. */
  readonly maxUnsent: number;
  /** Progress reports and notifications that exceed it are dropped. */
  readonly maxUnsentNotifications: number;
}

/** Default limits: a process that stops reading costs the owner of the servers at most 256 MiB of text. */
export const DEFAULT_HUB_LIMITS: HubLimits = {
  maxUnsent: 256 * 1024 * 1024,
  maxUnsentNotifications: 1024 * 1024,
};

/** Reason of a refused result: too much waits to be sent to the process of the caller. */
export const UNSENT_FULL =
  'the process of the caller has not read earlier results: too much data waits to be sent';
