import { oneWay, type Callback } from './callback.ts';
import { createRemote, type MemberCalls, type Members } from './contract.ts';
import { IncomingCalls } from './incoming-calls.ts';
import type { LinkError } from './link-error.ts';
import { fromWire } from './link-message.ts';
import type { LinkPort } from './link-port.ts';
import { OutgoingCalls, type LinkLimits } from './outgoing-calls.ts';
import { Sender } from './sender.ts';

/** Options of a link. */
export interface LinkOptions {
  readonly limits?: Partial<LinkLimits>;
  /** Receives errors that no caller awaits: those of notifications, one-way callbacks and subscriptions. Default: an uncaught exception. */
  readonly onError?: (error: unknown) => void;
  /** Runs when a notification is dropped because too much is unsent. */
  readonly onDrop?: (member: string, args: readonly unknown[]) => void;
}

/** Options of a link on which both processes may call. */
export interface TwoWayLinkOptions<Remote> extends LinkOptions {
  /** The members of the other process that are not requests. */
  readonly members: Members<Remote>;
  /** The functions that the other process may call. */
  readonly implementation: object;
}

const DEFAULT_LIMITS: LinkLimits = {
  maxPending: 256 * 1024 * 1024,
  maxUnsent: 256 * 1024 * 1024,
};

/** Serves an implementation to the process at the other end of the port, which uses {@link connectLink}. */
export const serveLink = (port: LinkPort, implementation: object, options?: LinkOptions): void =>
  void openLink<object>(port, { ...options, members: {}, implementation });

/**
 * Returns the contract that the process at the other end of the port serves with {@link serveLink}.
 *
 * @param members the members that are not requests
 */
export const connectLink = <Contract extends object>(
  port: LinkPort,
  members: Members<Contract>,
  options?: LinkOptions,
): Contract => openLink<Contract>(port, { ...options, members, implementation: {} });

/** Serves an implementation and returns the contract that the other process serves over the same port. */
export const openLink = <Remote extends object>(
  port: LinkPort,
  { members, implementation, limits, ...options }: TwoWayLinkOptions<Remote>,
): Remote => {
  const { onError = throwLater, onDrop = () => undefined } = options;
  const bounds: LinkLimits = { ...DEFAULT_LIMITS, ...limits };
  const sender = new Sender(port);
  const outgoing = new OutgoingCalls(sender, bounds);
  const incoming = new IncomingCalls({ sender, outgoing, implementation, limits: bounds, onError });
  port.onMessage((message) => receive(message, outgoing, incoming));
  port.onClose(() => {
    outgoing.close();
    incoming.close();
  });
  return createRemote<Remote>(memberCalls(outgoing, { onError, onDrop }), members);
};

const receive = (message: unknown, outgoing: OutgoingCalls, incoming: IncomingCalls): void => {
  const known = fromWire(message);
  if (known === undefined) return;
  switch (known.kind) {
    case 'done':
    case 'fail':
      outgoing.take(known);
      break;
    case 'stop':
      incoming.stop(known.id, known.reason);
      break;
    case 'call':
    case 'open':
    case 'send':
      incoming.run(known);
  }
};

/** Throws an error outside the handling of a message, where it is an uncaught exception. */
const throwLater = (error: unknown): void =>
  queueMicrotask(() => {
    throw error;
  });

const UNLIMITED = Number.MAX_SAFE_INTEGER;

const memberCalls = (
  outgoing: OutgoingCalls,
  { onError, onDrop }: Required<Pick<LinkOptions, 'onError' | 'onDrop'>>,
): MemberCalls => ({
  request: (member, args) => outgoing.request(member, args),
  notify: (member, args, { maxUnsent = UNLIMITED }) => {
    if (!outgoing.notify(member, args, maxUnsent)) onDrop(member, args);
  },
  subscribe: (member, args, { maxUnsent = UNLIMITED }) => {
    const listener = args.at(-1) as Callback;
    const own = oneWay((...items: never[]) => void listener(...items), { maxUnsent });
    const onFailure = (error: LinkError): void => {
      if (error.code === 'failed') onError(error);
    };
    return outgoing.open(member, [...args.slice(0, -1), own], onFailure);
  },
});
