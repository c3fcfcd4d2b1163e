import type { JsonObject, PlainCallFacts } from '@gateway/call-contract';
import type { ServerInventory } from '@gateway/catalog';
import type { ControlOutcome } from '../supervision/control.ts';
import type { ServerView } from '../supervision/server-view.ts';
import type { AcceptOutcome } from '../lists/trust/tool-change.ts';

/** The requests that the owner of the servers carries out for others. */
export type HubMethod = 'callTool' | 'readResource' | 'getPrompt' | 'complete';

/** What may be asked of a server's supervision. */
export type HubControl = 'start' | 'stop' | 'restart';

/** How a caller behind a request may be reached; its `capabilities` are in the text of the request. */
export interface HubCaller {
  readonly takesInputRequired: boolean;
  readonly logLevel?: string;
  /** Equal for requests of one session. */
  readonly identity: string;
}

/**
 * What a user sends to the hub. Values with keys of somebody else's choice travel as JSON text, so that no way of copying messages
 * between processes can change them, and so that their size is known.
 */
export type ToHub =
  | { readonly kind: 'attach' }
  | { readonly kind: 'state-taken'; readonly version: number }
  | {
      readonly kind: 'request';
      readonly id: number;
      readonly method: HubMethod;
      /** JSON of a {@link RequestText}. */
      readonly text: string;
      readonly progress: boolean;
      readonly caller?: HubCaller;
    }
  | { readonly kind: 'cancel'; readonly id: number; readonly reason: string }
  | {
      readonly kind: 'client-answer';
      readonly id: number;
      readonly question: number;
      /** JSON of a `ClientAnswer`. */
      readonly text: string;
    }
  | {
      readonly kind: 'client-progress';
      readonly id: number;
      readonly question: number;
      readonly text: string;
    }
  | {
      readonly kind: 'control';
      readonly id: number;
      readonly action: HubControl;
      readonly server: string;
    }
  | {
      readonly kind: 'accept-tools';
      readonly id: number;
      readonly server: string;
      /** All of them when absent. */
      readonly tools?: readonly string[];
    }
  | {
      readonly kind: 'subscribe';
      readonly id: number;
      readonly server: string;
      readonly uri: string;
    }
  | { readonly kind: 'unsubscribe'; readonly id: number }
  | { readonly kind: 'doubt'; readonly server: string }
  /** So many characters of answers and notices were read. */
  | { readonly kind: 'read'; readonly size: number };

/** The part of a request whose keys somebody else chose. */
export interface RequestText {
  readonly call: unknown;
  readonly facts: PlainCallFacts;
  /** What the caller of the request declared; absent for a request without a caller. */
  readonly capabilities?: JsonObject | undefined;
}

/** What changed since the last state that was sent. */
export interface StateMessage {
  readonly kind: 'state';
  readonly version: number;
  /** Every server that starts by itself was tried. */
  readonly settled: boolean;
  /** All servers, in order. */
  readonly servers: readonly string[];
  readonly changedViews: readonly ServerView[];
  /** The connected servers, in order. */
  readonly connected: readonly string[];
  readonly changedInventories: readonly ServerInventory[];
}

/** What the hub sends to a user. */
export type FromHub =
  | StateMessage
  | {
      readonly kind: 'result';
      readonly id: number;
      /** JSON of the result. */
      readonly text: string;
      /** The result may be passed on as this text. */
      readonly verbatim: boolean;
    }
  | {
      readonly kind: 'refused';
      readonly id: number;
      /** JSON of a `DownstreamError`. */
      readonly text: string;
    }
  | { readonly kind: 'progress'; readonly id: number; readonly text: string }
  | { readonly kind: 'notice'; readonly id: number; readonly text: string }
  | {
      readonly kind: 'question';
      readonly id: number;
      readonly question: number;
      readonly text: string;
      readonly progress: boolean;
    }
  | { readonly kind: 'withdraw'; readonly id: number; readonly question: number }
  /** Without a text the subscription stands; with one it is the JSON of a `DownstreamError`. */
  | { readonly kind: 'subscribed'; readonly id: number; readonly text?: string }
  | { readonly kind: 'updated'; readonly id: number; readonly text: string }
  | { readonly kind: 'controlled'; readonly id: number; readonly outcome: ControlOutcome }
  | { readonly kind: 'tools-accepted'; readonly id: number; readonly outcome: AcceptOutcome };
