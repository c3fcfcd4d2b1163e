import type { Downstream } from '../supervision/downstream.ts';
import type { ToHub } from './hub-message.ts';
import type { HubPort } from './hub-port.ts';
import { HubRequests } from './hub-requests.ts';
import { HubSubscriptions } from './hub-subscriptions.ts';
import { createOutbox, DEFAULT_OUTBOX_BOUNDS } from './outbox.ts';
import type { Outbox, OutboxBounds } from './outbox.ts';
import { StateFeed } from './state-feed.ts';

/** How to serve a hub. */
export interface DownstreamHubOptions {
  /** Every server that starts by itself was tried. */
  readonly settled: Promise<void>;
  readonly bounds?: Partial<OutboxBounds>;
}

/** What the messages of one user work on. */
interface Desk {
  readonly downstream: Downstream;
  readonly outbox: Outbox;
  readonly requests: HubRequests;
  readonly subscriptions: HubSubscriptions;
  /** Starts with the user's first word. */
  readonly feed: { current: StateFeed | undefined; readonly start: () => void };
}

type Handlers = {
  readonly [K in ToHub['kind']]: (desk: Desk, message: Extract<ToHub, { kind: K }>) => void;
};

const handlers: Handlers = {
  attach: ({ feed }) => feed.start(),
  'state-taken': ({ feed }, { version }) => feed.current?.taken(version),
  request: ({ requests }, message) => void requests.run(message),
  cancel: ({ requests }, { id, reason }) => requests.cancel(id, reason),
  'client-answer': ({ requests }, message) => requests.answer(message),
  'client-progress': ({ requests }, message) => requests.progress(message),
  control: (desk, message) => void control(desk, message),
  'accept-tools': (desk, message) => void acceptTools(desk, message),
  subscribe: ({ subscriptions }, message) => void subscriptions.subscribe(message),
  unsubscribe: ({ subscriptions }, { id }) => subscriptions.unsubscribe(id),
  doubt: ({ downstream }, { server }) => downstream.doubt(server),
  read: ({ outbox }, { size }) => outbox.read(size),
};

const handle = <K extends ToHub['kind']>(
  desk: Desk,
  kind: K,
  message: Extract<ToHub, { kind: K }>,
): void => handlers[kind](desk, message);

/** The user sees what it has done: its picture is up to date before it hears of the outcome. */
const control = async (
  { downstream, outbox, feed }: Desk,
  { id, action, server }: Extract<ToHub, { kind: 'control' }>,
): Promise<void> => {
  const outcome = await downstream[action](server);
  await feed.current?.flushed();
  outbox.post({ kind: 'controlled', id, outcome });
};

const acceptTools = async (
  { downstream, outbox, feed }: Desk,
  { id, server, tools }: Extract<ToHub, { kind: 'accept-tools' }>,
): Promise<void> => {
  const outcome = await downstream.acceptTools(server, tools);
  await feed.current?.flushed();
  outbox.post({ kind: 'tools-accepted', id, outcome });
};

/**
 * Lets the process at the other end of the port use these servers through `connectDownstreamHub`: their states and lists are pushed,
 * requests and controls are carried out here. The end of the port cancels what it asked for.
 */
export const serveDownstreamHub = (
  downstream: Downstream,
  port: HubPort,
  { settled, bounds }: DownstreamHubOptions,
): void => {
  const outbox = createOutbox(port, { ...DEFAULT_OUTBOX_BOUNDS, ...bounds });
  const requests = new HubRequests(downstream, outbox);
  const subscriptions = new HubSubscriptions(downstream, outbox);
  let isSettled = false;
  const stopListening = downstream.onChange(() => feed.current?.look());
  const feed: Desk['feed'] = {
    current: undefined,
    start: () => {
      const source = {
        servers: () => downstream.servers(),
        inventories: () => downstream.inventories(),
        settled: () => isSettled,
      };
      feed.current ??= new StateFeed(source, (message) => outbox.post(message));
    },
  };
  void settled.then(() => {
    isSettled = true;
    feed.current?.look();
  });
  const desk: Desk = { downstream, outbox, requests, subscriptions, feed };
  port.onMessage((message) => {
    // The other end is `connectDownstreamHub` of the same release.
    const known = message as ToHub;
    handle(desk, known.kind, known);
  });
  port.onClose(() => {
    stopListening();
    feed.current?.stop();
    requests.close();
    subscriptions.close();
  });
};
