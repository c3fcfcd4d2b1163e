import { onTestFinished } from 'vitest';
import { connectDownstreamHub, serveDownstreamHub } from '../../src/index.ts';
import type { Downstream, DownstreamHubOptions, HubPort } from '../../src/index.ts';

/** The ways in which messages are copied between processes. */
export const COPIES = {
  'as JSON': (message: object): unknown => JSON.parse(JSON.stringify(message)),
  'as structured clones': (message: object): unknown => structuredClone(message),
} as const;

/** How a test's channel copies, and what it lets through. */
export interface ChannelOptions {
  readonly copy?: (message: object) => unknown;
  /** Holds a message of the user back while it answers `true`. */
  readonly holds?: (message: Readonly<Record<string, unknown>>) => boolean;
}

/** A channel inside one process: copied messages, delivered in order in later turns of the event loop. */
export interface Channel {
  readonly hub: HubPort;
  readonly user: HubPort;
  /** Everything that was sent, by kind. */
  readonly sent: { readonly toHub: string[]; readonly toUser: string[] };
  close(): void;
}

type Handler = (message: unknown) => void;

/** Opens a channel; it closes when the test ends. */
const channel = ({ copy = COPIES['as JSON'], holds }: ChannelOptions = {}): Channel => {
  let open = true;
  const closers = new Set<() => void>();
  const sent = { toHub: [] as string[], toUser: [] as string[] };
  const readers: { hub: Handler | undefined; user: Handler | undefined } = {
    hub: undefined,
    user: undefined,
  };
  const end = (self: 'hub' | 'user', other: 'hub' | 'user', log: string[]): HubPort => ({
    send: (message) => {
      if (!open) return;
      const copied = copy(message) as Readonly<Record<string, unknown>>;
      log.push(String(copied['kind']));
      if (self === 'user' && holds?.(copied) === true) return;
      setImmediate(() => {
        if (open) readers[other]?.(copied);
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
  options: ChannelOptions & Pick<DownstreamHubOptions, 'bounds'> = {},
): { readonly user: Downstream; readonly channel: Channel } => {
  const opened = channel(options);
  const { bounds } = options;
  serveDownstreamHub(downstream, opened.hub, {
    settled: downstream.settled(),
    ...(bounds && { bounds }),
  });
  const user = connectDownstreamHub(opened.user, {
    clientInfo: { name: 'gateway-test', version: '1.0.0' },
    log: () => undefined,
  });
  onTestFinished(() => user.close());
  return { user, channel: opened };
};
