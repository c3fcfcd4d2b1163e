import type { ServerInventory } from '@gateway/catalog';
import type { McpServer } from '@gateway/crd-schemas';
import type { EventSink } from '@gateway/events';
import type { ClientFeatures } from '../requests/client-features.ts';
import type { ClientInfo } from '../connection/client-session.ts';
import type { ControlOutcome } from './control.ts';
import type {
  BackoffPolicy,
  DownstreamBounds,
  DownstreamTimeouts,
  HealthPolicy,
  RelistPolicy,
} from '../wire/limits.ts';
import type { DownstreamLog } from '../wire/log-event.ts';
import type { Requests } from '../requests/requests.ts';
import type { SubscribeOutcome, UpdateListener } from '../lists/resource-subscriptions.ts';
import type { ServerView } from './server-view.ts';
import type { DeclaredToolsStore } from '../lists/trust/declared-tools-store.ts';
import type { HintWidened } from '../lists/trust/hint-widened.ts';
import type { AcceptOutcome } from '../lists/trust/tool-change.ts';

/** What `createDownstream` takes. Everything but the first two has safe defaults. */
export interface DownstreamOptions {
  readonly clientInfo: ClientInfo;
  /** Takes log lines; must not throw. */
  readonly log: DownstreamLog;
  /** What servers of the 2025 revisions are told that clients can do: whatever some caller may be able to. Without it, nothing. */
  readonly clientFeatures?: ClientFeatures;
  readonly timeouts?: Partial<DownstreamTimeouts>;
  readonly bounds?: Partial<DownstreamBounds>;
  readonly backoff?: Partial<BackoffPolicy>;
  readonly relist?: Partial<RelistPolicy>;
  readonly health?: Partial<HealthPolicy>;
  /** Takes what happens to the servers, on transitions only. Without it, nobody hears of them. @spec §6 */
  readonly emit?: EventSink;
  /** What a relative `spec.cwd` counts from; the directory of this process when absent. */
  readonly baseDirectory?: string;
  /** The clock of stamps, in milliseconds since the epoch. Durations are taken from another one, which never jumps. */
  readonly now?: () => number;
  /** A number in [0, 1), for jitter. */
  readonly random?: () => number;
  /** Where it is kept between runs what servers said of their tools; without it, it is known since the start only. */
  readonly declaredTools?: DeclaredToolsStore;
  /** A `readOnlyHint` that turns to true does not count before it is accepted with `acceptTools`. `false` when absent. */
  readonly pinToolHints?: boolean;
  /** A tool's `readOnlyHint` turned from false or unset to true; must not throw. */
  readonly onHintWidened?: (widened: HintWidened) => void;
}

/** The connections to all downstream servers. @spec §2.6, §5.1 */
export interface Downstream extends Requests {
  /**
   * Makes the servers be these. New ones with `autoStart` start, missing ones end, and one whose connection is described differently
   * restarts; other changes leave connections alone.
   */
  apply(servers: readonly McpServer[]): void;
  /** Asks for a server and waits for the outcome of the attempt. */
  start(name: string): Promise<ControlOutcome>;
  /** Ends a server and waits until it is gone. It stays stopped until it is asked for. */
  stop(name: string): Promise<ControlOutcome>;
  /** Ends a server, starts it again, and waits for the outcome. */
  restart(name: string): Promise<ControlOutcome>;
  /** Looks soon whether a connected server can still be met, since a request of somebody else's did not meet it. */
  verifyConnection(name: string): void;
  /**
   * Accepts what a server says of these tools, or of all of them, as it is now: it is what later changes are compared with, and hints
   * that were held back count.
   */
  acceptTools(name: string, tools?: readonly string[]): Promise<AcceptOutcome>;
  /**
   * Calls back with the parameters of `notifications/resources/updated` whenever a resource changes, until `end`. The server is asked once per
   * resource, however many listen, and again after each reconnect, which counts as a change, since one may have been missed.
   */
  subscribeResource(
    resource: { readonly server: string; readonly uri: string },
    onUpdated: UpdateListener,
  ): Promise<SubscribeOutcome>;
  /** All servers, sorted by name. */
  servers(): readonly ServerView[];
  /** The inventories of the connected servers, sorted by name; the same array and objects while nothing changed. */
  inventories(): readonly ServerInventory[];
  /** Calls back after a change of a state or an inventory, at most once per turn of the event loop. Returns the way to stop it. */
  onChange(listener: () => void): () => void;
  /** Resolves when every server with `autoStart` was tried once, and after the settle timeout at the latest. */
  settled(): Promise<void>;
  /** Ends all servers within a bound. */
  close(): Promise<void>;
}
