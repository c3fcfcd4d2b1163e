import type { EventQuery } from '@gateway/events';
import type { Answer, Ask } from './asking.ts';

/** What a worker tells and asks its primary about what the primary keeps. Values with keys of others' choice travel as JSON text. */
export type ServicesToPrimary =
  /** JSON of a `GatewayEvent`. */
  | { readonly kind: 'emit'; readonly json: string }
  /** From now on the worker wants to hear of every event, or no longer. */
  | { readonly kind: 'follow' | 'unfollow' }
  | Ask<ServicesRequest>;

/** A question that the primary answers with JSON. */
export type ServicesRequest =
  | { readonly kind: 'create-server'; readonly document: string }
  | { readonly kind: 'patch-server'; readonly name: string; readonly patch: string }
  | { readonly kind: 'remove-server'; readonly name: string }
  | { readonly kind: 'aggregator' | 'save' | 'reload' | 'refused-servers' }
  | { readonly kind: 'update'; readonly patch: string }
  | { readonly kind: 'events'; readonly query: EventQuery };

/** What the primary tells a worker about it. */
export type ServicesToWorker =
  | ({ readonly kind: 'answer' } & Answer)
  /** JSON of a `StoredEvent`. */
  | { readonly kind: 'occurred'; readonly json: string };
