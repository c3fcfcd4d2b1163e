import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A Git host with the repository `platform/skills`, which has two skills. */
export interface SkillHost {
  /** The arguments of agent-manager that name the repository and the API of its host. */
  readonly args: readonly string[];
  readonly close: () => Promise<void>;
}

const SKILLS: ReadonlyMap<string, string> = new Map([
  ['runbooks', '---\nname: runbooks\ndescription: How to go about incidents\n---\n'],
  ['hostile', '---\nname: <b>hostile</b>\ndescription: "<img src=x onerror=alert(1)>"\n---\n'],
]);

const BASE = '/repos/platform/skills';

const contentOf = (path: string): object | undefined => {
  if (path === BASE) return { default_branch: 'main' };
  if (path === `${BASE}/git/trees/main`)
    return {
      truncated: false,
      tree: [...SKILLS].map(([name, { length: size }], at) => ({
        ...{ path: `${name}/SKILL.md`, type: 'blob', mode: '100644', size },
        sha: String(at).repeat(40),
      })),
    };
  const [, digit] = /\/git\/blobs\/(\d)/u.exec(path) ?? [];
  const text = [...SKILLS.values()][Number(digit)];
  return text === undefined ? undefined : { encoding: 'utf-8', content: text };
};

const answer = ({ url = '/' }: IncomingMessage, response: ServerResponse): void => {
  const content = contentOf(new URL(url, 'http://host').pathname);
  response.writeHead(content === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(content ?? {}));
};

/** Starts the host. The caller closes it. */
export const startSkillHost = async (): Promise<SkillHost> => {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    args: [
      ...['--skills-repositories', 'https://git.gateway.internal/platform/skills'],
      ...['--skills-api-url', `http://127.0.0.1:${port}`],
    ],
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
