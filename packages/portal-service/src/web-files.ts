import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { answerRefusal, createPageHeaders } from './answers.ts';

/** The files of the web application, by name. Their names contain a hash of their contents. */
export interface AssetFiles {
  /** Answers with a file, compressed if the browser accepts it, or with `not-found`. */
  readonly answer: (name: string, request: IncomingMessage, response: ServerResponse) => void;
}

interface Asset {
  readonly type: string;
  readonly plain: Buffer;
  /** Compressed copies by content coding, the smallest first. */
  readonly copies: readonly (readonly [coding: string, body: Buffer])[];
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.woff2', 'font/woff2'],
]);

/** Codings and the suffixes of the copies that the build wrote. */
const CODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const CACHE = 'public, max-age=31536000, immutable';

const readAsset = async (
  directory: string,
  name: string,
  names: ReadonlySet<string>,
): Promise<Asset> => {
  const present = CODINGS.filter(([, suffix]) => names.has(`${name}${suffix}`));
  const read = (suffix: string): Promise<Buffer> => readFile(join(directory, `${name}${suffix}`));
  return {
    type: TYPES.get(extname(name)) ?? 'application/octet-stream',
    plain: await read(''),
    copies: await Promise.all(
      present.map(async ([coding, suffix]) => [coding, await read(suffix)] as const),
    ),
  };
};

const readAssets = async (directory: string): Promise<ReadonlyMap<string, Asset>> => {
  const names = new Set(await readdir(directory));
  const plain = [...names].filter((name) => !CODINGS.some(([, suffix]) => name.endsWith(suffix)));
  return new Map(
    await Promise.all(
      plain.map(async (name) => [name, await readAsset(directory, name, names)] as const),
    ),
  );
};

const parseCodings = ({ headers }: IncomingMessage): ReadonlySet<string> =>
  new Set(
    (headers['accept-encoding']?.toString() ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => !/;\s*q=0(\.0*)?$/.test(item))
      .map((item) => item.split(';')[0]?.trim() ?? ''),
  );

/** Reads the files of the directory `assets` into memory. Rejects when it does not exist. */
export const openAssetFiles = async (webRoot: string): Promise<AssetFiles> => {
  const assets = await readAssets(join(webRoot, 'assets'));
  return {
    answer: (name, request, response) => {
      const asset = assets.get(name);
      if (asset === undefined) {
        answerRefusal(response, 'not-found');
        return;
      }
      const accepted = parseCodings(request);
      const copy = asset.copies.find(([coding]) => accepted.has(coding));
      const [coding, body] = copy ?? [undefined, asset.plain];
      response.writeHead(200, {
        'content-type': asset.type,
        'content-length': body.byteLength,
        ...(coding !== undefined && { 'content-encoding': coding }),
        vary: 'accept-encoding',
        'cache-control': CACHE,
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      });
      response.end(request.method === 'HEAD' ? undefined : body);
    },
  };
};

const NONCE = '__NONCE__';
const BASE = '__BASE__';
const NONCE_BYTES = 18;

/** Answers every path of the web application with its page. */
export type IndexPage = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Reads the page of the web application. Its placeholders become the path prefix and the nonce of each answer. Rejects when the
 * directory has no page.
 *
 * @param basePath the path of the portal, with slashes at both ends
 */
export const openIndexPage = async (webRoot: string, basePath: string): Promise<IndexPage> => {
  const template = (await readFile(join(webRoot, 'index.html'), 'utf8')).replaceAll(
    BASE,
    () => basePath,
  );
  return ({ method }, response) => {
    const nonce = randomBytes(NONCE_BYTES).toString('base64url');
    const body = Buffer.from(template.replaceAll(NONCE, nonce));
    response.writeHead(200, {
      ...createPageHeaders(nonce),
      'content-type': 'text/html; charset=utf-8',
      'content-length': body.byteLength,
      'cache-control': 'no-store',
    });
    response.end(method === 'HEAD' ? undefined : body);
  };
};
