import type { LinkPort } from '@gateway/process-link';
import { onTestFinished } from 'vitest';
import { connectDownstreamHub, serveDownstreamHub } from '../../src/index.ts';
import type { Downstream } from '../../src/index.ts';
import type { DownstreamHubOptions } from '../../src/hub/serve-downstream-hub.ts';

/** The copy operations of messages between processes. */
export const COPIES = {
  'as JSON': (message: unknown): unknown => JSON.parse(JSON.stringify(message)),
  'as structured clones': (message: unknown): unknown => structuredClone(message),
} as const;

/** Options of a test's channel. */
export interface ChannelOptions {
  readonly copy?: (message: unknown) => unknown;
  /** Drops a message of the user, by its name, while it returns `true`. */
  readonly holds?: (name: string) => boolean;
  /** The user reads nothing that the hub sends: nothing leaves the process of the hub. */
  readonly isStuck?: boolean;
}

/** A channel inside one process: copied messages, delivered in order in later turns of the event loop. */
export interface Channel {
  readonly hub: LinkPort;
  readonly user: LinkPort;
  /** Everything that was sent: members that were called, `callback`, or the kind of the message. */
  readonly sent: { readonly toHub: string[]; readonly toUser: string[] };
  close(): void;
}

const nameOf = ([kind, , target]: readonly unknown[]): string => {
  if (kind !== 'call' && kind !== 'open' && kind !== 'send') return String(kind);
  return typeof target === 'string' ? target : 'callback';
};

type Handler = (message: unknown) => void;

/** Opens a channel; it closes when the test ends. */
const channel = ({
  copy = COPIES['as JSON'],
  holds,
  isStuck = false,
}: ChannelOptions = {}): Channel => {
  let open = true;
  const closers = new Set<() => void>();
  const sent = { toHub: [] as string[], toUser: [] as string[] };
  const readers: { hub: Handler | undefined; user: Handler | undefined } = {
    hub: undefined,
    user: undefined,
  };
  const end = (self: 'hub' | 'user', other: 'hub' | 'user', log: string[]): LinkPort => ({
    send: (message, sent) => {
      if (!open) return;
      const copied = copy(message) as readonly unknown[];
      const name = nameOf(copied);
      log.push(name);
      if (self === 'user' && holds?.(name) === true) return;
      setImmediate(() => {
        if (open) readers[other]?.(copied);
        if (self === 'user' || !isStuck) sent();
      });
    },
    onMessage: (handler) => {
      readers[self] = handler;
    },
    onClose: (handler) => void closers.add(handler),
  });
  const close = (): void => {
    open = false;
    for (const closer of closers) closer();
    closers.clear();
  };
  onTestFinished(close);
  return {
    hub: end('hub', 'user', sent.toHub),
    user: end('user', 'hub', sent.toUser),
    sent: { toHub: sent.toUser, toUser: sent.toHub },
    close,
  };
};

/** A user of these servers at the other end of a channel. */
export const hubUser = (
  downstream: Downstream,
  options: ChannelOptions & Pick<DownstreamHubOptions, 'limits'> = {},
): { readonly user: Downstream; readonly channel: Channel } => {
  const opened = channel(options);
  const { limits } = options;
  serveDownstreamHub(downstream, opened.hub, {
    settled: downstream.settled(),
    ...(limits && { limits }),
  });
  const user = connectDownstreamHub(opened.user, {
    clientInfo: { name: 'gateway-test', version: '1.0.0' },
    log: () => undefined,
    ...(limits && { limits }),
  });
  onTestFinished(() => user.close());
  return { user, channel: opened };
};
