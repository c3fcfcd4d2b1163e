import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';

/** One kept-alive connection to a gateway, which one of its processes accepted. */
export interface PinnedConnection {
  /** The process at the other end. Linux only. */
  readonly owner: number;
  /** Sends a request over the connection; one at a time. */
  send(sent: {
    readonly path?: string;
    readonly method?: string;
    readonly headers?: Record<string, string>;
    readonly body?: object;
  }): Promise<IncomingMessage>;
  close(): void;
}

/** Connects and finds out which of the processes it is connected to. */
async function pinnedConnection(url: URL, processes: readonly number[]): Promise<PinnedConnection> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send: PinnedConnection['send'] = ({ path = '/mcp', method = 'POST', headers, body }) =>
    new Promise((resolve, reject) => {
      const outgoing = request(new URL(path, url), {
        agent,
        method,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      });
      outgoing.on('response', resolve).on('error', reject);
      outgoing.end(body && JSON.stringify(body));
    });
  const first = await send({ path: '/healthz', method: 'GET' });
  const { localPort } = first.socket;
  first.resume();
  await new Promise((resolve) => first.once('end', resolve));
  const inode = inodeOf(Number(url.port), localPort ?? 0);
  const owner = processes.find((pid) => socketsOf(pid).includes(inode));
  if (owner === undefined) throw new Error('no process has the connection');
  return {
    owner,
    send,
    close: () => {
      agent.destroy();
    },
  };
}

/** One connection to each of two different processes. */
export async function connectionsToAll(
  url: URL,
  processes: readonly number[],
): Promise<readonly PinnedConnection[]> {
  const found = new Map<number, PinnedConnection>();
  for (let tries = 0; found.size < processes.length; tries += 1) {
    if (tries > 50) throw new Error('some process accepts no connection');
    const connection = await pinnedConnection(url, processes);
    if (found.has(connection.owner)) connection.close();
    else found.set(connection.owner, connection);
  }
  return processes.flatMap((pid) => found.get(pid) ?? []);
}

/** The inode of the accepted side of a connection over IPv4. */
function inodeOf(serverPort: number, clientPort: number): string {
  const port = (text = ''): number => Number.parseInt(text.split(':')[1] ?? '', 16);
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)) {
    const [, local, remote, , , , , , , inode = ''] = line.trim().split(/\s+/u);
    if (port(local) === serverPort && port(remote) === clientPort) return inode;
  }
  throw new Error('no such connection');
}

function socketsOf(pid: number): readonly string[] {
  return readdirSync(`/proc/${String(pid)}/fd`).flatMap((fd) => {
    try {
      const link = readlinkSync(`/proc/${String(pid)}/fd/${fd}`);
      return /^socket:\[(\d+)\]$/u.exec(link)?.[1] ?? [];
    } catch {
      return [];
    }
  });
}
