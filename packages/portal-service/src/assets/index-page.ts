import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pageSecurityHeaders } from '../answers/security-headers.ts';

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
      ...pageSecurityHeaders(nonce),
      'content-type': 'text/html; charset=utf-8',
      'content-length': body.byteLength,
      'cache-control': 'no-store',
    });
    response.end(method === 'HEAD' ? undefined : body);
  };
};
