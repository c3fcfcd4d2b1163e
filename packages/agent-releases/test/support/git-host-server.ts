import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** Files by path, as they are on one ref. */
export type Files = Readonly<Record<string, string>>;

interface Repository {
  readonly defaultBranch: string;
  /** Files by ref. */
  readonly refs: Readonly<Record<string, Files>>;
}

/** The received requests: path and relevant headers. */
export interface Asked {
  readonly url: string;
  readonly authorization: string | undefined;
  readonly status: number;
}

const hashOf = (text: string): string => createHash('sha1').update(text).digest('hex');

const treeOf = (files: Files): object => ({
  truncated: false,
  tree: Object.entries(files).map(([path, text]) => ({
    path,
    mode: '100644',
    type: 'blob',
    sha: hashOf(text),
    size: text.length,
  })),
});

/** A Git host on this machine that answers about repositories by `owner/name`, as the REST API of the public one does. */
export const startGitHost = async (repositories: Readonly<Record<string, Repository>>) => {
  const asked: Asked[] = [];
  /** Answers before the host does, where it says so. */
  let first: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;

  const documentAt = (path: string): object | undefined => {
    const [, owner = '', name = '', kind, id] =
      /^\/api\/v3\/repos\/([^/]+)\/([^/]+)(?:\/git\/(trees|blobs)\/([^/?]+)(?:\?recursive=1)?)?$/.exec(
        path,
      ) ?? [];
    const repository = repositories[`${owner}/${name}`];
    if (repository === undefined) return undefined;
    if (kind === undefined) return { default_branch: repository.defaultBranch };
    const ref = decodeURIComponent(id ?? '');
    if (kind === 'trees') {
      const files = repository.refs[ref];
      return files && treeOf(files);
    }
    const text = Object.values(repository.refs)
      .flatMap((files) => Object.values(files))
      .find((content) => hashOf(content) === ref);
    return text === undefined
      ? undefined
      : { encoding: 'base64', content: Buffer.from(text).toString('base64') };
  };

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const document = documentAt(request.url ?? '');
    if (document === undefined) {
      response.writeHead(404).end('{"message":"Not Found"}');
      return;
    }
    const body = JSON.stringify(document);
    const etag = `"${hashOf(body)}"`;
    const isKnown = request.headers['if-none-match'] === etag;
    response.writeHead(isKnown ? 304 : 200, { etag, 'content-type': 'application/json' });
    response.end(isKnown ? undefined : body);
  };

  const server = createServer((request, response) => {
    response.on('close', () => {
      const { authorization } = request.headers;
      asked.push({ url: request.url ?? '', authorization, status: response.statusCode });
    });
    if (!first(request, response)) answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3`,
    asked,
    /** From now on this decides first whether and how to answer. */
    answerFirst: (handler: typeof first) => (first = handler),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

export type GitHostServer = Awaited<ReturnType<typeof startGitHost>>;
